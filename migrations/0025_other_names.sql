-- The register is asked for a customer's other name too. One that it has not confirmed is kept, and is no part of the name that
-- others see: of customers who exist already, none is confirmed.
ALTER TABLE "customers"."customer" ADD COLUMN "is_other_name_confirmed" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "onboarding"."creation_session" ADD COLUMN "is_other_name_confirmed" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
UPDATE "applications"."subject" s SET "display_name" = c."first_name" || ' ' || c."last_name"
  FROM "customers"."customer" c JOIN "tags"."tag" t ON t."id" = c."tag_id"
  WHERE s."id" = t."subject_id" AND c."other_name" IS NOT NULL;
