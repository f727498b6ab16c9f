-- Servers from 0087 on work with it.
-- The oldest of what is due, read in the order of the index, whatever PostgreSQL expects to wait (as 0097). After a `vacuum analyze` in a
-- quiet hour it expected nothing, and in the burst that came then read all that waited once for each receiver.

-- Since when the first delivery of a receiver is due that nobody sends now; in the future where none is due yet.
create function webhooks.oldest_due(p_receiver uuid) returns timestamptz language sql stable
set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
  select due_at from webhooks.delivery
   where receiver_id = p_receiver and status = 'PENDING' and due_at is not null and (leased_until is null or leased_until <= now())
   order by due_at limit 1
$$;--> statement-breakpoint

-- The next receiver, by its id, for which something is due now or later.
create function webhooks.next_receiver(p_after uuid) returns uuid language sql stable
set plan_cache_mode = force_generic_plan set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off as $$
  select receiver_id from webhooks.delivery
   where receiver_id > p_after and status = 'PENDING' and due_at is not null
   order by receiver_id, due_at limit 1
$$;
