-- The answer of a reference that was used before: that of its first request, whatever has become of it since. What waited in
-- suspense is answered with the entries that it had then, and a posting in two steps with Pending.
create or replace function ledger.answer_again(p jsonb, OUT outcome text, OUT replayed boolean, OUT transaction_id bigint, OUT created_at timestamptz, OUT entries jsonb)
returns record language plpgsql as $$
declare
  t ledger.transaction;
begin
  select x.* into strict t from ledger.transaction x
    where x.owner_id = (p ->> 'owner')::uuid and x.namer = p ->> 'namer' and x.reference = p ->> 'reference';
  replayed := true;
  transaction_id := t.id;
  created_at := t.created_at;
  outcome := case
    when not ledger.is_repeated(t, p) then 'REFERENCE_REUSED'
    when t.hold_id is not null then 'Pending'
    else coalesce(t.code, case when t.pending_reason is null then 'Successful' else 'Pending' end) end;
  entries := case when t.hold_id is null then ledger.entries_of(t.id) else '[]' end;
  if t.pending_reason is not null and t.completed_at is not null then
    entries := entries - -1 - -1; -- the two that settled it
  end if;
end $$;
