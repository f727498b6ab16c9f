-- Writes an event for every movement of a wallet in these transactions, from leg `p_first` on. Accounts are looked up one by
-- one: planned while the tables are small, a join would read all of them, for as long as the connection lives.
create or replace function ledger.publish_movements(p_transactions bigint[], p_first int default 1) returns void language sql as $$
  select outbox.emit_all(array_agg(row(null, a.partner_id, event.name, a.reference, null,
      ledger.wallet_event(event.name, a.reference, t, e), e.version, e.created_at, null)::outbox.event order by e.transaction_id, e.leg))
  from ledger.entry e
    join ledger.transaction t on t.id = e.transaction_id
    cross join lateral (select * from ledger.account a where a.id = e.account_id offset 0) a,
    lateral (select case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end) event(name)
  where e.transaction_id = any (p_transactions) and e.leg >= p_first and a.emits
$$;
