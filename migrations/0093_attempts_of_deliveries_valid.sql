-- Outside a transaction: it reads every attempt, and nobody waits for it.
-- Servers from 0087 on work with it.
-- Of the foreign keys that 0092 put in the place of others, which had checked what was there.
alter table webhooks.attempt validate constraint attempt_delivery_id_delivery_id_fk;--> statement-breakpoint
alter table webhooks.failure validate constraint failure_delivery_id_delivery_id_fk;
