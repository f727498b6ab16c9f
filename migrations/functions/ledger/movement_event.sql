-- The event of a wallet's movement, for outbox.emit_all: of its partner, under the wallet's reference, numbered by the entry's version.
create or replace function ledger.movement_event(a ledger.account, e ledger.entry, t ledger.transaction) returns outbox.event
language sql stable as $$
  select row(null, a.partner_id, case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end, a.reference, null,
    ledger.movement_body(a, e, t), e.version, e.created_at, null)::outbox.event
$$;
