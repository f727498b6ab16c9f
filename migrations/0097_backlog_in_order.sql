-- Servers from 0087 on work with it.
-- What waits for a receiver, read in the order of the indexes of its months and no further than is asked for. By its statistics
-- PostgreSQL often expects little to wait, and then sorted all that did, several hundred thousand deliveries, to count the first ten
-- thousand. These functions leave it nothing but the order of an index, whatever it expects.

create function webhooks.count_pending(p_receiver uuid, p_most int) returns int language sql stable
set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
  select count(*)::int from (
    (select from webhooks.delivery where receiver_id = p_receiver and status = 'PENDING' and due_at is not null order by due_at limit p_most)
    union all
    (select from webhooks.delivery where receiver_id = p_receiver and status = 'PENDING' and due_at is null order by id limit p_most)
    limit p_most) counted
$$;--> statement-breakpoint

-- When the first of them is due that is neither held nor behind another one of its lane; of one that is being sent, when its lease
-- ends. p_leased: so many are being sent at most.
create function webhooks.next_attempt_at(p_receiver uuid, p_leased int) returns timestamptz language sql stable
set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
  select min(at) from (
    select greatest(due_at, leased_until) as at from webhooks.delivery
     where receiver_id = p_receiver and status = 'PENDING' and due_at < 'infinity' order by due_at limit p_leased + 1) first
$$;
