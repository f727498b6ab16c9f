-- Postings as rows, in the order of the call: what ledger.post says of a posting, as the columns of a transaction.
create or replace function ledger.read_postings(p_postings jsonb)
returns table (place bigint, owner uuid, namer text, reference text, partner uuid, type text, request_hash bytea, mac bytea, amount bigint,
  fee bigint, commission bigint, stamp_duty bigint, currency text, source bigint, destination bigint, external_reference text, comment text,
  metadata jsonb, original bigint)
language sql stable as $$
  select p.place, p.owner, p.namer, p.reference, p.partner, p.type, decode(p.request_hash, 'hex'), decode(p.mac, 'hex'), p.amount,
      coalesce(p.fee, 0), coalesce(p.commission, 0), coalesce(p.stamp_duty, 0), p.currency, p.source, p.destination, p.external_reference,
      p.comment, p.metadata, p.original
    from rows from (jsonb_to_recordset(p_postings) as (owner uuid, namer text, reference text, partner uuid, type text,
        "requestHash" text, mac text, amount bigint, fee bigint, commission bigint, "stampDuty" bigint, currency text, source bigint,
        destination bigint, "externalReference" text, comment text, metadata jsonb, original bigint)) with ordinality
      p (owner, namer, reference, partner, type, request_hash, mac, amount, fee, commission, stamp_duty, currency, source, destination,
        external_reference, comment, metadata, original, place)
$$;
