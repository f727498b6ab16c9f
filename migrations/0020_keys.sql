-- Signing keys can be revoked.
ALTER TABLE "signing_keys"."signing_key" DROP CONSTRAINT "signing_key_status";--> statement-breakpoint
ALTER TABLE "signing_keys"."signing_key" ADD COLUMN "revoked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "signing_keys"."signing_key" ADD CONSTRAINT "signing_key_status" CHECK ("signing_keys"."signing_key"."status" in ('CURRENT', 'NEXT', 'RETIRED', 'REVOKED'));
--> statement-breakpoint
-- Keys that seal, index and sign are stored, wrapped by the root key. The server makes the first ones.
CREATE SCHEMA "data_keys";--> statement-breakpoint
CREATE TABLE "data_keys"."data_key" (
	"id" integer PRIMARY KEY NOT NULL,
	"use" text NOT NULL,
	"status" text NOT NULL,
	"wrapped" "bytea",
	"root_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp (3) with time zone,
	"destroyed_at" timestamp (3) with time zone,
	CONSTRAINT "data_key_use" CHECK ("data_keys"."data_key"."use" in ('SEAL', 'INDEX', 'SIGN', 'POSTING')),
	CONSTRAINT "data_key_status" CHECK ("data_keys"."data_key"."status" in ('NEXT', 'CURRENT', 'RETIRED', 'DESTROYED')),
	CONSTRAINT "data_key_destroyed" CHECK (("data_keys"."data_key"."status" = 'DESTROYED') = ("data_keys"."data_key"."wrapped" is null))
);--> statement-breakpoint
CREATE UNIQUE INDEX "data_key_current" ON "data_keys"."data_key" USING btree ("use") WHERE "data_keys"."data_key"."status" = 'CURRENT';--> statement-breakpoint
CREATE UNIQUE INDEX "data_key_next" ON "data_keys"."data_key" USING btree ("use") WHERE "data_keys"."data_key"."status" = 'NEXT';
