-- Ends a posting in two steps of which nothing moved: what is held is available again, and what was held today no longer counts
-- against today's limit. Answers the transaction's status: Voided, or what it had become before.
--
-- Locks the transaction, then what ledger.close_holds locks.
create or replace function ledger.void(p_transaction bigint, p_reason text, p_now timestamptz default null) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  t ledger.transaction;
begin
  perform ledger.refuse_time(p_now);
  select * into strict t from ledger.transaction x where x.id = p_transaction for no key update;
  if t.status <> 'Held' then return t.status; end if;
  perform ledger.close_holds(array[t.hold_id], 'RELEASED', p_now);
  update ledger.transaction x set status = 'Voided', void_reason = p_reason, completed_at = null where x.id = t.id;
  return 'Voided';
end $$;
