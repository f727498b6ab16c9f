-- Signing keys can be revoked.
ALTER TABLE "signing_keys"."signing_key" DROP CONSTRAINT "signing_key_status";--> statement-breakpoint
ALTER TABLE "signing_keys"."signing_key" ADD COLUMN "revoked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "signing_keys"."signing_key" ADD CONSTRAINT "signing_key_status" CHECK ("signing_keys"."signing_key"."status" in ('CURRENT', 'NEXT', 'RETIRED', 'REVOKED'));
