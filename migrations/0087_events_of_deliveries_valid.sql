-- Outside a transaction: it reads every delivery, and nobody waits for it.
-- Servers from 0058 on work with it.
-- Of the foreign key that 0085 put in the place of another, which had checked what was there.
alter table webhooks.delivery validate constraint delivery_event_id_event_id_fk;
