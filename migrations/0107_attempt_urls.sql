-- Servers from 0104 on work with it.
-- An attempt keeps the URL that it went to: its receiver may have moved since. It is shown, and nothing is sent by it.
alter table webhooks.attempt add column url text;--> statement-breakpoint
alter table webhooks.delivery add column last_url text;
