-- The events of a posting.

-- Minor units as a JSON number in major units, formatted as JavaScript does it.
create function ledger.major(p_minor bigint) returns text language sql immutable strict as $$
  select trim_scale(p_minor / 100.0)::text
$$;

-- The body of wallet.credited and wallet.debited: compact, and so equal to JSON.stringify of its own parsed value.
create function ledger.wallet_event(p_event text, p_wallet text, t ledger.transaction, e ledger.entry)
returns text language sql stable as $$
  select '{"event":' || to_json(p_event)
    || ',"reference":' || to_json(p_wallet)
    || ',"data":{"Amount":' || ledger.major(e.amount)
    || ',"Operation":' || case when e.amount > 0 then '"Credit"' else '"Debit"' end
    || ',"Transaction":{"Amount":' || ledger.major(t.amount)
    || ',"Fee":' || ledger.major(e.fee)
    || ',"Status":"Successful"'
    || ',"Reference":' || to_json(t.reference)
    || coalesce(',"ExternalReference":' || to_json(t.external_reference), '')
    || coalesce(',"Comment":' || to_json(t.comment), '')
    || '},"OpeningBalance":' || ledger.major(e.opening)
    || ',"ClosingBalance":' || ledger.major(e.closing)
    || ',"CreatedAt":"' || to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}}'
$$;

-- Writes an event for every movement of a wallet in these transactions, from leg `p_first` on.
create function ledger.publish_movements(p_transactions bigint[], p_first int default 1) returns void language sql as $$
  select outbox.emit_all(array_agg(a.partner_id order by e.transaction_id, e.leg),
    array_agg(event.name order by e.transaction_id, e.leg),
    array_agg(a.reference order by e.transaction_id, e.leg),
    array_agg(ledger.wallet_event(event.name, a.reference, t, e) order by e.transaction_id, e.leg),
    array_agg(e.version order by e.transaction_id, e.leg))
  from ledger.entry e
    join ledger.account a on a.id = e.account_id
    join ledger.transaction t on t.id = e.transaction_id,
    lateral (select case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end) event(name)
  where e.transaction_id = any (p_transactions) and e.leg >= p_first and a.emits
$$;
