CREATE SCHEMA "owner_proofs";
--> statement-breakpoint
CREATE TABLE "owner_proofs"."owner_code" (
	"purpose" text PRIMARY KEY NOT NULL,
	"code_digest" "bytea",
	"code_expires_at" timestamp (3) with time zone,
	"sends" smallint DEFAULT 0 NOT NULL,
	"sent_at" jsonb DEFAULT '{}' NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "owner_code_expires" CHECK ("owner_proofs"."owner_code"."code_digest" is null or "owner_proofs"."owner_code"."code_expires_at" is not null)
);
--> statement-breakpoint
CREATE INDEX "owner_code_expiry" ON "owner_proofs"."owner_code" USING btree ("expires_at");