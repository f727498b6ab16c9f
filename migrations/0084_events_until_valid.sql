-- Outside a transaction: it reads every event, and nobody waits for it.
-- Servers from 0058 on work with it.
alter table outbox.event validate constraint event_until;--> statement-breakpoint
alter table webhooks.attempt validate constraint attempt_until;
