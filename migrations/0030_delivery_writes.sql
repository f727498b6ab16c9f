-- What a delivery writes: at its claim one row and no index, at its end that row again. The latest attempt stands in the
-- delivery itself, and webhooks.attempt keeps those before it: most deliveries have one attempt, and no row there.

ALTER TABLE "webhooks"."delivery" ADD COLUMN "leased_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ADD COLUMN "last_status_code" integer;--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ADD COLUMN "last_duration_ms" integer;--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ADD COLUMN "last_attempt_error" text;--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ADD COLUMN "last_response" "bytea";--> statement-breakpoint
DROP INDEX "webhooks"."delivery_failed_purgeable";--> statement-breakpoint

-- What is in flight keeps the end of its lease as the time at which it is due.
update webhooks.delivery d
   set last_status_code = a.status_code, last_duration_ms = a.duration_ms, last_attempt_error = a.error, last_response = a.response
  from webhooks.attempt a
 where a.delivery_id = d.id and a.number = d.attempts;
delete from webhooks.attempt a using webhooks.delivery d where d.id = a.delivery_id and d.attempts = a.number;
--> statement-breakpoint
CREATE INDEX "delivery_failed_purgeable" ON "webhooks"."delivery" USING btree ("id") WHERE "webhooks"."delivery"."status" = 'FAILED' and "webhooks"."delivery"."purged_at" is null;--> statement-breakpoint

-- Room in each page for what a claim writes, so that it goes beside the row and no index changes. An attempt is written once.
alter table webhooks.delivery set (fillfactor = 45);
alter table webhooks.attempt reset (fillfactor);
