-- How many deliveries are pending for an endpoint, up to `p_most`: due and held ones, read in the order of their indexes and no further.
-- PostgreSQL often expects few to be pending, and then sorts all of them, several hundred thousand, to count the first ten thousand.
-- The settings leave it nothing but the order of an index.
create or replace function webhooks.count_pending(p_receiver uuid, p_most int) returns int language sql stable
set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
  select count(*)::int from (
    (select from webhooks.delivery where receiver_id = p_receiver and status = 'PENDING' and due_at is not null order by due_at limit p_most)
    union all
    (select from webhooks.delivery where receiver_id = p_receiver and status = 'PENDING' and due_at is null order by id limit p_most)
    limit p_most) counted
$$;
