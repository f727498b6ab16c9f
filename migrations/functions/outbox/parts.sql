-- The parts of a table that is in parts by its ids, and of what time each holds them.
create or replace function outbox.parts(p_table regclass) returns table (part text, starts_at timestamptz, ends_at timestamptz)
language sql stable as $$
  select c.relname::text, coalesce(uuid_extract_timestamp(substring(b.bound from 'FROM \(''([^'']+)''\)')::uuid), '-infinity'),
      coalesce(uuid_extract_timestamp(substring(b.bound from 'TO \(''([^'']+)''\)')::uuid), 'infinity')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
   where i.inhparent = p_table and not i.inhdetachpending offset 0
$$;
