-- Outside a transaction.
-- Servers from 0058 on work with it.
-- What operators list of what waits: by which a number of the overview leads to what it counts, however much else there is.
create index concurrently if not exists "delivery_due_newest" on "webhooks"."delivery" using btree ("id") where "webhooks"."delivery"."status" = 'PENDING' and "webhooks"."delivery"."due_at" is not null;--> statement-breakpoint
create index concurrently if not exists "delivery_held_newest" on "webhooks"."delivery" using btree ("id") where "webhooks"."delivery"."status" = 'PENDING' and "webhooks"."delivery"."due_at" is null;--> statement-breakpoint
create index concurrently if not exists "pause_in_force" on "webhooks"."pause" using btree ("receiver_id") where "webhooks"."pause"."resumed_at" is null;--> statement-breakpoint
create index concurrently if not exists "dispute_state_id" on "disputes"."dispute" using btree ("state", "id");--> statement-breakpoint
create index concurrently if not exists "approval_status_id" on "approvals"."approval" using btree ("status", "id");
