-- The answer of a reference that was used before: that of its first request, whatever has become of it since. REFERENCE_REUSED when
-- the reference stands for another request. Takes no lock.
create or replace function ledger.answer_again(p_posting jsonb, out outcome text, out replayed boolean, out transaction_id bigint,
  out created_at timestamptz, out entries jsonb)
language plpgsql as $$
declare
  t ledger.transaction;
begin
  select x.* into strict t from ledger.transaction x
   where x.owner_id = (p_posting ->> 'owner')::uuid and x.namer = p_posting ->> 'namer' and x.reference = p_posting ->> 'reference';
  replayed := true;
  transaction_id := t.id;
  created_at := t.created_at;
  outcome := case
    when t.request_hash <> decode(p_posting ->> 'requestHash', 'hex') then 'REFERENCE_REUSED'
    -- The first step of a posting in two answered Pending, and moved nothing.
    when t.hold_id is not null then 'Pending'
    when t.code is not null then t.code
    when t.pending_reason is not null then 'Pending'
    else 'Successful' end;
  entries := case when t.hold_id is null then ledger.entries_of(t.id) else '[]' end;
  -- What waited in suspense is answered with the entries that it had then: without the two that settled it.
  if t.pending_reason is not null and t.completed_at is not null then
    entries := entries - -1 - -1;
  end if;
end $$;
