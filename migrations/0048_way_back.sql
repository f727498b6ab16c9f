-- The way back to the application that sent a customer to an approval page: the pages that it has registered, and which of them a
-- request names. Nothing that is there has one.

ALTER TABLE "applications"."application" ADD COLUMN "return_urls" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "claims"."claim" ADD COLUMN "return_url" text;--> statement-breakpoint
ALTER TABLE "federations"."link" ADD COLUMN "return_url" text;
