-- Writes the legs of a transaction: the entries, from number `p_first` on, the new balances, and an event for every movement of a
-- wallet. Takes no lock: the caller has locked the strict accounts, and has judged the posting.
create or replace function ledger.write_legs(t ledger.transaction, p_legs jsonb, p_first int, p_now timestamptz) returns void
language plpgsql as $$
begin
  -- An entry of a strict account is numbered, and says the balance before and after; what is on a deferred one is not known here.
  insert into ledger.entry (transaction_id, leg, account_id, amount, fee, version, opening, closing, business_date, created_at)
  select t.id, p_first + l.place - 1, a.id, l.amount, coalesce(l.fee, 0),
      case when a.lock_mode = 'strict' then a.version + 1 end,
      case when a.lock_mode = 'strict' then a.posted end,
      case when a.lock_mode = 'strict' then a.posted + l.amount end,
      ledger.business_day(p_now), p_now
    from rows from (jsonb_to_recordset(p_legs) as (account bigint, amount bigint, fee bigint)) with ordinality
        l (account, amount, fee, place)
      join ledger.account a on a.id = l.account;

  update ledger.account a set posted = e.closing, version = e.version, updated_at = p_now, moved_at = p_now
    from ledger.entry e
   where e.transaction_id = t.id and e.leg >= p_first and a.id = e.account_id and e.version is not null;

  insert into ledger.deferred_delta (account_id, amount)
  select e.account_id, e.amount from ledger.entry e
   where e.transaction_id = t.id and e.leg >= p_first and e.version is null;

  -- Accounts are looked up one by one: planned while the tables are small, a join would read all of them, for as long as the
  -- connection lives.
  perform outbox.emit_all(array_agg(ledger.movement_event(x.a, e, t) order by e.leg))
    from ledger.entry e cross join lateral (select a from ledger.account a where a.id = e.account_id offset 0) x
   where e.transaction_id = t.id and e.leg >= p_first and (x.a).emits;
end $$;
