ALTER TABLE "outbox"."event" ALTER COLUMN "body" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox"."delivery" ADD COLUMN "purged_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "delivery_purgeable" ON "outbox"."delivery" USING btree ("delivered_at") WHERE "outbox"."delivery"."status" = 'DELIVERED' and "outbox"."delivery"."purged_at" is null;