-- Ends up to `p_limit` deliveries that have waited since before a moment: held, due and not taken, or parked behind such a one. Answers
-- how many.
--
-- Locks the deliveries, and skips what another session has locked, and what is being sent.
create or replace function webhooks.end_waiting(p_before timestamptz, p_limit int) returns int language plpgsql as $$
declare
  v_first constant uuid := webhooks.first_id_at(p_before);
  v_ended int;
begin
  update webhooks.delivery d
     set status = 'FAILED', last_error = 'waited too long', updated_at = now(),
         due_at = coalesce(nullif(d.due_at, 'infinity'), date_trunc('milliseconds', now()))
   where d.id = any (array(
     select k.id from webhooks.delivery k
      where k.id = any (array(
              -- Endpoint by endpoint, and each kind by its own index: held, due, parked.
              select w.id from outbox.receiver r cross join lateral (
                (select h.id from webhooks.delivery h
                  where h.receiver_id = r.id and h.status = 'PENDING' and h.due_at is null and h.id < v_first
                  order by h.id limit p_limit)
                union all
                (select u.id from webhooks.delivery u
                  where u.receiver_id = r.id and u.status = 'PENDING' and u.due_at < p_before
                  order by u.due_at limit p_limit)
                union all
                (select p.id from webhooks.delivery p
                  where p.receiver_id = r.id and p.status = 'PENDING' and p.due_at = 'infinity' and p.id < v_first
                  limit p_limit)) w
              limit p_limit))
        and k.status = 'PENDING' and (k.leased_until is null or k.leased_until <= now())
        for update skip locked));
  get diagnostics v_ended = row_count;
  return v_ended;
end $$;
