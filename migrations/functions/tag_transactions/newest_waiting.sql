-- A page of the newest transactions that wait for an application's decision, and how many wait, up to `p_most`: read in the order of the
-- index and no further. By its statistics PostgreSQL may expect few to wait, and then sorts all of them for each page.
create or replace function tag_transactions.newest_waiting(p_app uuid, p_at timestamptz, p_size int, p_passed bigint, p_most int)
returns table (ids uuid[], total int) language sql stable rows 1
set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
  select array(
      select id from tag_transactions.tag_transaction
       where receiver_app_id = p_app and status = 'AWAITING_ACCEPTANCE' and expires_at > p_at
       order by created_at desc, id desc limit p_size offset p_passed),
    (select count(*)::int from (
      select from tag_transactions.tag_transaction
       where receiver_app_id = p_app and status = 'AWAITING_ACCEPTANCE' and expires_at > p_at
       order by created_at desc, id desc limit p_most) counted)
$$;
