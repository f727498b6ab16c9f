-- True when a request repeats that of a transaction. What was posted before transactions had a MAC was told apart by a digest
-- of other words, and is compared by what it stored.
create or replace function ledger.is_repeated(t ledger.transaction, p jsonb) returns boolean language sql stable as $$
  select case
    when t.mac is not null then t.request_hash = decode(p ->> 'requestHash', 'hex')
    else t.type = p ->> 'type' and t.currency = coalesce(p ->> 'currency', t.currency)
      and (t.amount = (p ->> 'amount')::bigint or p ? 'refundsRemainder')
      and t.comment is not distinct from p ->> 'comment'
      and t.external_reference is not distinct from p ->> 'externalReference'
      and (not p ? 'source' or t.type not like 'PARTNER_WALLET_%'
           or (t.source_id, t.destination_id) = ((p ->> 'source')::bigint, (p ->> 'destination')::bigint))
      and (not p ? 'destination' or t.type <> 'TRANSFER'
           or (select count(distinct a.holder_id) = 1 from ledger.account a
                where a.id in (t.destination_id, (p ->> 'destination')::bigint)))
  end
$$;
