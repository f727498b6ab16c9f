ALTER TABLE "outbox"."receiver" ADD COLUMN "secret_rotated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "previous_secret_sealed" "bytea";--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "previous_secret_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "delivery_failed" ON "outbox"."delivery" USING btree ("receiver_id","event_id") WHERE "outbox"."delivery"."status" = 'FAILED';--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD CONSTRAINT "receiver_previous_secret" CHECK (("outbox"."receiver"."previous_secret_sealed" is null) = ("outbox"."receiver"."previous_secret_until" is null));