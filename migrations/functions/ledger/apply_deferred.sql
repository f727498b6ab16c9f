-- Adds at most `p_limit` movements of deferred accounts to their balances, and answers how many.
--
-- Locks the accounts, by id, and skips one that another session has locked: it waits for no one.
create or replace function ledger.apply_deferred(p_limit int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_accounts bigint[];
  v_applied int;
begin
  select array_agg(x.id) into v_accounts from (
    select a.id from ledger.account a
     where a.id in (select d.account_id from (select account_id from ledger.deferred_delta order by id limit p_limit) d)
     order by a.id for no key update skip locked) x;
  -- The oldest movements of the accounts that this call has locked leave the list as they enter the balance.
  with picked as (
    delete from ledger.deferred_delta
     where id in (select id from ledger.deferred_delta where account_id = any (v_accounts) order by id limit p_limit)
     returning account_id, amount),
  summed as (select account_id, sum(amount)::bigint as amount, count(*)::int as movements from picked group by account_id),
  written as (
    update ledger.account a set posted = a.posted + s.amount from summed s where a.id = s.account_id)
  select coalesce(sum(movements), 0) into v_applied from summed;
  return v_applied;
end $$;
