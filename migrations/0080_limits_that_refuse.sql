-- Outside a transaction.
-- Servers from 0058 on work with it.
-- What is refused by a limit, without the counts that refuse nobody.
create index concurrently if not exists "counter_refusing" on "throttles"."counter" using btree ("closed_until") where "throttles"."counter"."closed_until" is not null and "throttles"."counter"."name" is not null;--> statement-breakpoint
drop index concurrently if exists "throttles"."counter_closed";
