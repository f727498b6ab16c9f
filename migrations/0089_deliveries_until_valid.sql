-- Outside a transaction: it reads every delivery, and nobody waits for it.
-- Servers from 0087 on work with it.
alter table webhooks.delivery validate constraint delivery_until;
