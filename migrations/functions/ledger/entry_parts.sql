-- The parts of ledger.entry, and of what time each holds the entries.
create or replace function ledger.entry_parts() returns table (part text, starts_at timestamptz, ends_at timestamptz) language sql stable
set timezone = 'UTC' as $$
  select c.relname::text, coalesce(substring(b.bound from 'FROM \(''([^'']+)''\)')::timestamptz, '-infinity'),
      coalesce(substring(b.bound from 'TO \(''([^'']+)''\)')::timestamptz, 'infinity')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
   where i.inhparent = 'ledger.entry'::regclass and not i.inhdetachpending
$$;
