-- The body of wallet.credited and wallet.debited: compact, and so equal to JSON.stringify of its own parsed value. Every member
-- is there always. Whoever receives money from a customer or an application is not shown the sender's own reference.
create or replace function ledger.wallet_event(p_event text, p_wallet text, t ledger.transaction, e ledger.entry) returns text
language sql stable as $$
  select ledger.movement_event(p_wallet, e, ledger.told_amount(t.type, t.amount, e.amount),
    ledger.told_fee(t.type, t.fee, t.stamp_duty,
      coalesce(t.partner_id = (select a.partner_id from ledger.account a where a.id = e.account_id), false), e.amount, e.fee),
    t.reference,
    case when t.namer in ('CUSTOMER', 'APPLICATION') and e.account_id is distinct from t.source_id then '' else t.external_reference end,
    t.comment)
$$;
