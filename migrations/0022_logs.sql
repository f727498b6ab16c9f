CREATE SCHEMA "known_addresses";
--> statement-breakpoint
CREATE TABLE "known_addresses"."known_address" (
	"credential" text NOT NULL,
	"digest" bytea NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_address_credential_digest_pk" PRIMARY KEY("credential","digest")
);
--> statement-breakpoint
CREATE INDEX "known_address_last_used" ON "known_addresses"."known_address" USING btree ("last_used_at");
--> statement-breakpoint
ALTER TABLE "applications"."application" ADD COLUMN "token_generation" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "sessions"."prior_login" ADD COLUMN "sessions_ended_at" timestamp (3) with time zone;
