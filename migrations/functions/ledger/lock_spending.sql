-- Locks what holders have spent, by holder, and answers the time of a movement that counts in it: on no earlier day than what was counted
-- last, whatever the clock says. So a clock that is set back gives no one their limit a second time.
--
-- The caller has locked the accounts of the holders. A holder who has never spent gets a row to lock.
create or replace function ledger.lock_spending(p_holders uuid[], p_now timestamptz) returns timestamptz language plpgsql as $$
declare
  v_day constant date := ledger.business_day(p_now);
  v_last date;
begin
  insert into ledger.spending (holder_id, day, spent)
    select h, v_day, 0 from (select distinct h from unnest(p_holders) h where h is not null order by h) x
     where not exists (select from ledger.spending s where s.holder_id = h)
    on conflict do nothing;
  select max(x.day) into v_last from (
    select s.day from ledger.spending s where s.holder_id = any (p_holders) order by s.holder_id for no key update) x;
  return case when v_last > v_day then v_last::timestamp at time zone 'Africa/Lagos' else p_now end;
end $$;
