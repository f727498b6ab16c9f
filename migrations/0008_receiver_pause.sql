ALTER TABLE "outbox"."receiver" ADD COLUMN "paused_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "paused_by" text;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "pause_reason" text;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD CONSTRAINT "receiver_paused_by" CHECK ("outbox"."receiver"."paused_by" in ('OPERATOR', 'OWNER', 'SYSTEM'));