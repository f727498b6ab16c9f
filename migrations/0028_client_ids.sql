-- A client id keys R-Signature. It is kept sealed, with its owner's receiver, and found by its SHA-256: it has 128 random bits.
ALTER TABLE "applications"."application" ADD COLUMN "client_id_digest" "bytea";--> statement-breakpoint
ALTER TABLE "partners"."partner" ADD COLUMN "client_id_digest" "bytea";--> statement-breakpoint
UPDATE "applications"."application" SET "client_id_digest" = sha256(convert_to("client_id", 'UTF8')) WHERE "client_id" IS NOT NULL;--> statement-breakpoint
UPDATE "partners"."partner" SET "client_id_digest" = sha256(convert_to("client_id", 'UTF8'));--> statement-breakpoint
ALTER TABLE "partners"."partner" ALTER COLUMN "client_id_digest" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "applications"."application" ADD CONSTRAINT "application_client_id_digest_unique" UNIQUE("client_id_digest");--> statement-breakpoint
ALTER TABLE "partners"."partner" ADD CONSTRAINT "partner_client_id_digest_unique" UNIQUE("client_id_digest");--> statement-breakpoint
ALTER TABLE "applications"."application" DROP COLUMN "client_id";--> statement-breakpoint
ALTER TABLE "partners"."partner" DROP COLUMN "client_id";--> statement-breakpoint
-- A column that is dropped stays in the rows that are there, and in every copy of the files: these write them anew.
CLUSTER "applications"."application" USING "application_pkey";--> statement-breakpoint
CLUSTER "partners"."partner" USING "partner_pkey";--> statement-breakpoint
ALTER TABLE "applications"."application" SET WITHOUT CLUSTER;--> statement-breakpoint
ALTER TABLE "partners"."partner" SET WITHOUT CLUSTER;
