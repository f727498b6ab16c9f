-- Locks a transaction until the caller's commit: the server may read it and not change it, and so cannot lock it itself. For a resolution
-- of suspense or a reversal, which post next.
create or replace function ledger.lock_transaction(p_id bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select from ledger.transaction where id = p_id for no key update
$$;
