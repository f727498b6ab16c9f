-- Locks a transaction, which the server may read and not change. For what a resolution of suspense or a reversal does next.
create or replace function ledger.lock_transaction(p_id bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select from ledger.transaction where id = p_id for no key update
$$;
