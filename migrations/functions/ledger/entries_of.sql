-- The entries of a transaction as JSON, in the order of its legs. Amounts are text, so that JavaScript reads them exactly.
create or replace function ledger.entries_of(p_transaction bigint) returns jsonb language sql stable as $$
  select jsonb_agg(jsonb_build_object('account', e.account_id, 'amount', e.amount::text,
      'opening', e.opening::text, 'closing', e.closing::text) order by e.leg)
    from ledger.entry e where e.transaction_id = p_transaction
$$;
