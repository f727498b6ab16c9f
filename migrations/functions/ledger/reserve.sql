-- Reserves the references of postings by writing their transactions, which count as successful until something else is known. Answers
-- the transactions in the order of the postings, and null for a reference that an earlier transaction has.
--
-- Locks the references, sorted by owner, namer and reference: of two callers with the same ones, neither waits for the other in a
-- circle. An insert that meets an uncommitted one waits for it.
create or replace function ledger.reserve(p_postings jsonb, p_now timestamptz) returns ledger.transaction[] language plpgsql as $$
declare
  v_count constant int := jsonb_array_length(p_postings);
  v_ids bigint[];
  v_reserved ledger.transaction[];
begin
  -- Ids rise in the order of the postings.
  for i in 1 .. v_count loop v_ids[i] := nextval('ledger.transaction_id_seq'); end loop;
  with reserved as (
    insert into ledger.transaction as t (id, owner_id, namer, reference, partner_id, type, status, request_hash, mac, amount, fee,
        commission, stamp_duty, currency, source_id, destination_id, external_reference, comment, metadata, original_id, created_at,
        completed_at) overriding system value
      select v_ids[p.place], p.owner, p.namer, p.reference, p.partner, p.type, 'Successful', p.request_hash, p.mac, p.amount, p.fee,
          p.commission, p.stamp_duty, p.currency, p.source, p.destination, p.external_reference, p.comment, p.metadata, p.original, p_now,
          p_now
        from ledger.read_postings(p_postings) p order by p.owner, p.namer, p.reference, p.place
      on conflict (owner_id, namer, reference) do nothing
      returning t as transaction)
  select coalesce(array_agg(r.transaction order by (r.transaction).id), '{}') into v_reserved from reserved r;

  if cardinality(v_reserved) < v_count then
    v_reserved := array(
      select t from unnest(v_ids) with ordinality u (id, place) left join unnest(v_reserved) t on t.id = u.id order by u.place);
  end if;
  return v_reserved;
end $$;
