-- When the first delivery of an endpoint is due that is neither held nor behind another one of its lane; of one that is being sent, when
-- its lease ends. `p_leased`: so many are being sent at most. Read in the order of an index, as webhooks.count_pending.
create or replace function webhooks.next_attempt_at(p_receiver uuid, p_leased int) returns timestamptz language sql stable
set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
  select min(at) from (
    select greatest(due_at, leased_until) as at from webhooks.delivery
     where receiver_id = p_receiver and status = 'PENDING' and due_at < 'infinity' order by due_at limit p_leased + 1) first
$$;
