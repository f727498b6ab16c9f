create or replace function outbox.make_months() returns int language sql security definer set search_path = pg_catalog, pg_temp
set lock_timeout = '200ms' as $$
  select outbox.make_parts('outbox.event')
$$;
