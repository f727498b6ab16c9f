-- What the operator's overview and lists are read by: what moved by the hour, what is refused by a limit and what is counted by it,
-- and indexes of what waits and of what is looked for.

ALTER TABLE "throttles"."counter" ADD COLUMN "name" text;
--> statement-breakpoint
ALTER TABLE "throttles"."counter" ADD COLUMN "about" text;
--> statement-breakpoint
CREATE INDEX "counter_closed" ON "throttles"."counter" USING btree ("closed_until") WHERE "throttles"."counter"."closed_until" is not null;
--> statement-breakpoint
CREATE TABLE "books"."hour_total" (
	"hour" timestamp (3) with time zone NOT NULL,
	"type" text NOT NULL,
	"currency" text NOT NULL,
	"debits" bigint NOT NULL,
	"transactions" bigint NOT NULL,
	CONSTRAINT "hour_total_hour_type_currency_pk" PRIMARY KEY("hour","type","currency")
);
--> statement-breakpoint
CREATE INDEX "partner_day_total_float" ON "books"."partner_day_total" USING btree ("day") WHERE "books"."partner_day_total"."kind" = 'FLOAT';
--> statement-breakpoint

CREATE INDEX "partner_name" ON "partners"."partner" USING btree (lower("name") text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "application_name" ON "applications"."application" USING btree (lower("name") text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "terminal_newest" ON "terminals"."terminal" USING btree ("partner_id","id");
--> statement-breakpoint
DROP INDEX "terminals"."terminal_partner";
--> statement-breakpoint
CREATE INDEX "split_named" ON "terminals"."split" USING btree ("reference","id");
--> statement-breakpoint
CREATE INDEX "tag_made_by" ON "tags"."tag" USING btree ("created_by_app_id","id") WHERE "tags"."tag"."released_at" is null;
--> statement-breakpoint
DROP INDEX "tags"."tag_creator";
--> statement-breakpoint
CREATE INDEX "claim_requester" ON "claims"."claim" USING btree ("requested_by_app_id","id");
--> statement-breakpoint
CREATE INDEX "link_primary" ON "federations"."link" USING btree ("primary_tag_id","id");
--> statement-breakpoint
CREATE INDEX "link_linked" ON "federations"."link" USING btree ("linked_tag_id","id");
--> statement-breakpoint
CREATE INDEX "link_primary_app" ON "federations"."link" USING btree ("primary_app_id","id");
--> statement-breakpoint
CREATE INDEX "link_linked_app" ON "federations"."link" USING btree ("linked_app_id","id");
--> statement-breakpoint
CREATE INDEX "customer_ended" ON "customers"."customer" USING btree ("tag_id") WHERE ("customers"."customer"."frozen_at" is not null or "customers"."customer"."erased_at" is not null);
--> statement-breakpoint
CREATE INDEX "dispute_transaction" ON "disputes"."dispute" USING btree ("transaction_id","id");
--> statement-breakpoint
CREATE INDEX "application_waiting" ON "applications"."application" USING btree ("id") WHERE "applications"."application"."status" = 'PENDING';
--> statement-breakpoint

-- What moved between two moments, the later one not included, by the hour and type. A transaction counts where its first leg stands.
create function books.moved_by_hour(p_from timestamptz, p_to timestamptz)
returns table (hour timestamptz, type text, currency text, debits bigint, transactions bigint)
language plpgsql stable set plan_cache_mode = force_custom_plan set jit = off as $$
#variable_conflict use_column
begin
  return query
    select date_trunc('hour', e.created_at, 'UTC'), t.type, t.currency, coalesce(sum(-e.amount) filter (where e.amount < 0), 0)::bigint,
        count(*) filter (where e.leg = 1)
      from ledger.entry e join ledger.transaction t on t.id = e.transaction_id
      where e.created_at >= p_from and e.created_at < p_to
      group by 1, 2, 3;
end $$;

create or replace function books.add_up(p_until timestamptz) returns timestamptz language plpgsql as $$
declare
  v_from timestamptz;
  v_to timestamptz;
begin
  p_until := date_trunc('milliseconds', p_until); -- as finely as entries are dated
  select x.until into v_from from books.totalled x for update skip locked;
  if not found or p_until <= v_from then
    return null;
  end if;
  v_to := least(p_until, interval '1 day' + case when isfinite(v_from) then v_from
    else (select e.created_at from ledger.entry e order by e.transaction_id, e.leg limit 1) end);

  with moved as materialized (select * from books.moved_between(v_from, v_to)),
    days as (
      insert into books.day_total as d (day, kind, currency, debits, credits)
        select m.day, m.kind, m.currency, sum(m.debits), sum(m.credits) from moved m group by 1, 2, 3
      on conflict (day, kind, currency) do update set debits = d.debits + excluded.debits, credits = d.credits + excluded.credits)
  insert into books.partner_day_total as d (partner_id, day, kind, currency, type, debits, credits, movements)
    select m.partner_id, m.day, m.kind, m.currency, m.type, m.debits, m.credits, m.movements from moved m
      where m.partner_id is not null and m.kind in ('WALLET', 'FLOAT', 'FEE', 'COMMISSION', 'STAMP_DUTY')
  on conflict (partner_id, day, kind, currency, type) do update
    set debits = d.debits + excluded.debits, credits = d.credits + excluded.credits, movements = d.movements + excluded.movements;

  insert into books.hour_total as h (hour, type, currency, debits, transactions)
    select m.hour, m.type, m.currency, m.debits, m.transactions from books.moved_by_hour(v_from, v_to) m
  on conflict (hour, type, currency) do update
    set debits = h.debits + excluded.debits, transactions = h.transactions + excluded.transactions;

  update books.totalled set until = v_to;
  return v_to;
end $$;

-- Of a database of before, the hours of the last two days that are added up by day already: enough for the day that it is.
insert into books.hour_total (hour, type, currency, debits, transactions)
  select m.hour, m.type, m.currency, m.debits, m.transactions
    from books.totalled x cross join lateral books.moved_by_hour(date_trunc('hour', x.until - interval '2 days', 'UTC'), x.until) m
    where isfinite(x.until);
