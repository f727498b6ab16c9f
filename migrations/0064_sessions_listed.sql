-- Outside a transaction.
-- Servers from 0062 on work with it.
-- What operators list the sessions of customers by, newest first.
create index concurrently if not exists "session_of_customer" on "sessions"."session" using btree ("customer_id", "id");--> statement-breakpoint
create index concurrently if not exists "session_of_partner" on "sessions"."session" using btree ("partner_id", "id");--> statement-breakpoint
drop index concurrently if exists "sessions"."session_customer";
