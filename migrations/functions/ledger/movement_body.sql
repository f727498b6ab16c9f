-- The body of wallet.credited and wallet.debited: compact, and so equal to JSON.stringify of its own parsed value. Every member is
-- there always.
create or replace function ledger.movement_body(a ledger.account, e ledger.entry,
  t ledger.transaction) returns text language sql stable as $$
  select format('{"event":"%s","reference":%s,"data":{"Amount":%s,"Operation":"%s","Transaction":{"Amount":%s,"Fee":%s,'
      '"Status":"Successful","Reference":%s,"ExternalReference":%s,"Comment":%s},'
      '"OpeningBalance":%s,"ClosingBalance":%s,"CreatedAt":"%s"}}',
    case when e.amount > 0 then 'wallet.credited' else 'wallet.debited' end, to_json(a.reference), ledger.major(e.amount),
    case when e.amount > 0 then 'Credit' else 'Debit' end, ledger.major(ledger.event_amount(e, t)),
    ledger.major(ledger.event_fee(a, e, t)),
    to_json(t.reference),
    -- The external reference of a customer or an application is the sender's own: the receiver does not see it.
    to_json(case when t.namer in ('CUSTOMER', 'APPLICATION') and a.id is distinct from t.source_id then ''
      else coalesce(t.external_reference, '') end),
    to_json(coalesce(t.comment, '')), ledger.major(e.opening), ledger.major(e.closing),
    to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;
