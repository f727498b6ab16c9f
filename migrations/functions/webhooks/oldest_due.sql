-- The due time of the first delivery of each endpoint that no worker sends now, in the future where none is due yet. Read in the order of
-- the index, from endpoint to endpoint, whatever PostgreSQL expects: after a `vacuum analyze` in a quiet hour it expects nothing, and in
-- the burst that follows would read all that is pending once for each endpoint.
create or replace function webhooks.oldest_due() returns table (receiver_id uuid, due_at timestamptz) language sql stable
set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
  -- The endpoints that have a delivery that is due, each found from the one before it.
  with recursive waiting as (
    (select d.receiver_id from webhooks.delivery d where d.status = 'PENDING' and d.due_at is not null
      order by d.receiver_id, d.due_at limit 1)
    union all
    select d.receiver_id from waiting w cross join lateral (
      select d.receiver_id from webhooks.delivery d
       where d.status = 'PENDING' and d.due_at is not null and d.receiver_id > w.receiver_id
       order by d.receiver_id, d.due_at limit 1) d)
  select w.receiver_id, d.due_at from waiting w cross join lateral (
    select d.due_at from webhooks.delivery d
     where d.receiver_id = w.receiver_id and d.status = 'PENDING' and d.due_at is not null
       and (d.leased_until is null or d.leased_until <= now())
     order by d.due_at limit 1) d
$$;
