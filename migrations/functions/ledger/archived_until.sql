-- Nothing that is dated before is among the entries any more: what is told of older ones is told from what is carried.
create or replace function ledger.archived_until() returns timestamptz language sql stable as $$
  select coalesce(max(ends_at), '-infinity') from ledger.archive
$$;
