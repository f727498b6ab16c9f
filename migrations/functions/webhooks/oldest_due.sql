-- Since when the first delivery of each receiver is due that nobody sends now, in the future where none is due yet: read in the order of
-- the index, from receiver to receiver, whatever PostgreSQL expects to wait (as 0097). After a `vacuum analyze` in a quiet hour it
-- expected nothing, and in the burst that came then read all that waited once for each receiver.
create or replace function webhooks.oldest_due() returns table (receiver_id uuid, due_at timestamptz) language sql stable
set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
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
