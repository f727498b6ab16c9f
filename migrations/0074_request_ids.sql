-- Servers from 0058 on work with it.
-- The id of the request that made a change, and that of one with an Idempotency-Key, with what was asked and by whom. Where a
-- server from before writes, they are null. Seals cover the columns of the audit log that they name, and not this one.
ALTER TABLE "audit"."entry" ADD COLUMN "request_id" text;--> statement-breakpoint
ALTER TABLE "idempotency"."request" ADD COLUMN "request_id" text;--> statement-breakpoint
ALTER TABLE "idempotency"."request" ADD COLUMN "method" text;--> statement-breakpoint
ALTER TABLE "idempotency"."request" ADD COLUMN "route" text;--> statement-breakpoint
ALTER TABLE "idempotency"."request" ADD COLUMN "caller" text;
