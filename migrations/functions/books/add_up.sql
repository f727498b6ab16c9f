-- Adds what has moved since the last time to the totals of days, of partners and of hours, up to `p_until`: a day of it at most. The
-- caller knows that nothing dated before `p_until` can be committed any more (ledger.has_ended). Answers until when it has added up; null
-- where there is nothing to do.
--
-- Locks the one row of `totalled`; null too when another session has it, which adds up.
create or replace function books.add_up(p_until timestamptz) returns timestamptz
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_from timestamptz;
  v_to timestamptz;
begin
  p_until := date_trunc('milliseconds', p_until); -- as finely as entries are dated
  select x.until into v_from from books.totalled x for update skip locked;
  if not found or p_until <= v_from then
    return null;
  end if;
  -- From the first entry on, where nothing is totalled yet.
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
