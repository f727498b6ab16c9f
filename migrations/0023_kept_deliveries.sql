DROP INDEX "outbox"."delivery_parked";--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "releasing" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "receiver_releasing" ON "outbox"."receiver" USING btree ("id") WHERE "outbox"."receiver"."releasing";--> statement-breakpoint
CREATE INDEX "delivery_parked" ON "outbox"."delivery" USING btree ("receiver_id","id") WHERE "outbox"."delivery"."status" = 'PENDING' and "outbox"."delivery"."due_at" is null;