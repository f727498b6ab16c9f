-- The body of wallet.credited and wallet.debited: compact, and so equal to JSON.stringify of its own parsed value.
create or replace function ledger.movement_event(p_wallet text, e ledger.entry, p_principal bigint, p_fee bigint, p_reference text, p_external_reference text, p_comment text)
returns text language sql stable as $$
  select format('{"event":"%s","reference":%s,"data":{"Amount":%s,"Operation":"%s","Transaction":{"Amount":%s,"Fee":%s,'
      '"Status":"Successful","Reference":%s,"ExternalReference":%s,"Comment":%s},"OpeningBalance":%s,"ClosingBalance":%s,"CreatedAt":"%s"}}',
    case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end, to_json(p_wallet), ledger.major(e.amount),
    case when e.amount > 0 then 'Credit' else 'Debit' end, ledger.major(p_principal), ledger.major(p_fee), to_json(p_reference),
    to_json(coalesce(p_external_reference, '')), to_json(coalesce(p_comment, '')), ledger.major(e.opening), ledger.major(e.closing),
    to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;
