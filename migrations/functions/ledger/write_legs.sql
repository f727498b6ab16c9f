-- Writes the legs of a transaction whose accounts are locked: the entries, the new balances, and an event for every
-- movement of a wallet. `p_first` is the number of the first leg.
create or replace function ledger.write_legs(t ledger.transaction, p_legs jsonb, p_first int, p_now timestamptz) returns void
language plpgsql as $$
begin
  insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
  select t.id, p_first + l.ordinal - 1, a.id, l.amount, coalesce(l.fee, 0),
    case when a.lock_mode = 'strict' then a.version + 1 end,
    case when a.lock_mode = 'strict' then a.posted end,
    case when a.lock_mode = 'strict' then a.posted + l.amount end,
    ledger.business_day(p_now), p_now
  from rows from (jsonb_to_recordset(p_legs) as (account bigint, amount bigint, fee bigint))
    with ordinality l(account, amount, fee, ordinal)
  join ledger.account a on a.id = l.account;

  update ledger.account a set posted = e.closing, version = e.version, updated_at = p_now, moved_at = p_now
    from ledger.entry e
    where e.transaction_id = t.id and e.leg >= p_first and a.id = e.account_id and e.version is not null;

  insert into ledger.deferred_delta (account_id, amount)
    select e.account_id, e.amount from ledger.entry e
    where e.transaction_id = t.id and e.leg >= p_first and e.version is null;

  perform ledger.publish_movements(array[t.id], p_first);
end $$;
