-- The books of a day: what moved on each kind of account, and for each partner, added up as time passes, so that a day can be
-- told without reading its entries.

CREATE SCHEMA "books";
--> statement-breakpoint
CREATE TABLE "books"."day_total" (
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"currency" text NOT NULL,
	"debits" bigint NOT NULL,
	"credits" bigint NOT NULL,
	CONSTRAINT "day_total_day_kind_currency_pk" PRIMARY KEY("day","kind","currency")
);
--> statement-breakpoint
CREATE TABLE "books"."partner_day_total" (
	"partner_id" uuid NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"currency" text NOT NULL,
	"type" text NOT NULL,
	"debits" bigint NOT NULL,
	"credits" bigint NOT NULL,
	"movements" bigint NOT NULL,
	CONSTRAINT "partner_day_total_partner_id_kind_currency_type_day_pk" PRIMARY KEY("partner_id","kind","currency","type","day")
);
--> statement-breakpoint
CREATE TABLE "books"."totalled" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "totalled_only" CHECK ("books"."totalled"."only")
);
--> statement-breakpoint
CREATE INDEX "account_partner" ON "ledger"."account" USING btree ("partner_id","kind") WHERE "ledger"."account"."partner_id" is not null;
--> statement-breakpoint

-- Nothing is totalled yet: what a database of before holds is added up day by day, and read from its entries until then.
insert into books.totalled (until) values ('-infinity');

-- What moved between two moments, the later one not included, by day, kind of account, partner and type. An account of ours
-- counts for the partner in whose book the transaction stands. It plans for its moments, so that it reads their entries only;
-- and being stable, it sees what the statement sees that calls it.
create function books.moved_between(p_from timestamptz, p_to timestamptz)
returns table (day date, kind text, currency text, partner_id uuid, type text, debits bigint, credits bigint, movements bigint)
language plpgsql stable set plan_cache_mode = force_custom_plan set jit = off as $$
#variable_conflict use_column
begin
  return query
    select e.business_date, a.kind, a.currency, coalesce(a.partner_id, t.partner_id), t.type,
        coalesce(sum(-e.amount) filter (where e.amount < 0), 0)::bigint, coalesce(sum(e.amount) filter (where e.amount > 0), 0)::bigint,
        count(*)
      from ledger.entry e join ledger.account a on a.id = e.account_id join ledger.transaction t on t.id = e.transaction_id
      where e.created_at >= p_from and e.created_at < p_to
      group by 1, 2, 3, 4, 5;
end $$;

-- Adds up what moved from where it was added up until before, to a moment of which the caller knows that nothing dated before
-- it can be committed any more: a day of it at most. Says until when it did; null where there is nothing to do, or another does it.
create function books.add_up(p_until timestamptz) returns timestamptz language plpgsql as $$
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

  update books.totalled set until = v_to;
  return v_to;
end $$;

-- What moved on a partner's accounts before a day, on it and after it, by kind of account and type; and with no type what stands
-- there now. It hashes what it adds up, since it may be of years.
create function books.partner_day(p_partner uuid, p_day date)
returns table (kind text, currency text, type text, before numeric, debits numeric, credits numeric, movements numeric,
  after numeric, present numeric)
language sql stable set enable_sort = off as $$
  select m.kind, m.currency, m.type, coalesce(sum(m.credits - m.debits) filter (where m.day < p_day), 0),
      coalesce(sum(m.debits) filter (where m.day = p_day), 0), coalesce(sum(m.credits) filter (where m.day = p_day), 0),
      coalesce(sum(m.movements) filter (where m.day = p_day), 0),
      coalesce(sum(m.credits - m.debits) filter (where m.day > p_day), 0), null
    from (
      select d.day, d.kind, d.currency, d.type, d.debits, d.credits, d.movements from books.partner_day_total d
        where d.partner_id = p_partner
      union all
      select n.day, n.kind, n.currency, n.type, n.debits, n.credits, n.movements
        from books.totalled x cross join lateral books.moved_between(x.until, 'infinity') n where n.partner_id = p_partner) m
    group by m.kind, m.currency, m.type
  union all
  select a.kind, a.currency, null, 0, 0, 0, 0, 0, sum(a.posted) from ledger.account a
    where a.partner_id = p_partner and a.kind in ('FLOAT', 'WALLET') group by a.kind, a.currency
$$;
