-- Closes those of the holds that are open, as `p_state` RELEASED or EXPIRED (then only those that have expired), and makes their money
-- available again, whatever the account's status. Answers how many holds it closed.
--
-- Locks the holds, by id; their accounts, by id; what the accounts' holders have spent, by holder, where a hold counted.
create or replace function ledger.close_holds(p_holds bigint[], p_state text, p_now timestamptz default null) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_now timestamptz := coalesce(p_now, clock_timestamp());
  v_closed int;
begin
  perform ledger.refuse_time(p_now);
  perform from ledger.hold h where h.id = any (p_holds) order by h.id for no key update;
  perform from ledger.account a
   where a.id in (select h.account_id from ledger.hold h where h.id = any (p_holds) and h.state = 'OPEN')
   order by a.id for no key update;
  perform from ledger.spending s
   where s.holder_id in (select a.holder_id from ledger.hold h join ledger.account a on a.id = h.account_id
                          where h.id = any (p_holds) and h.state = 'OPEN' and h.counted)
   order by s.holder_id for no key update;
  with closed as (
    update ledger.hold h set state = p_state, closed_at = v_now
     where h.id = any (p_holds) and h.state = 'OPEN' and (p_state <> 'EXPIRED' or h.expires_at <= v_now)
     returning h.*),
  given as (
    update ledger.account a set suspended = a.suspended - c.held, updated_at = greatest(a.updated_at, v_now)
      from (select account_id, sum(amount) as held from closed group by account_id) c
     where a.id = c.account_id),
  -- What was held counts no more, on the day of the hold; where a later day counts by now, on none.
  uncounted as (
    update ledger.spending s set spent = s.spent - c.amount
      from (select a.holder_id, h.held_day, sum(h.amount) as amount from closed h join ledger.account a on a.id = h.account_id
             where h.counted group by 1, 2) c
     where s.holder_id = c.holder_id and s.day = c.held_day)
  select count(*) into v_closed from closed;
  return v_closed;
end $$;
