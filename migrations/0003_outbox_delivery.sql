-- Delivering events: what a receiver's pauses, failures and successes do to its deliveries.

-- Makes up to `p_limit` waiting deliveries of a receiver due, the oldest first, and answers how many. The receiver's
-- row is locked: nobody else releases its deliveries at the same time, and nobody writes another that waits.
create function outbox.release_kept(p_receiver uuid, p_limit int) returns int language plpgsql as $$
declare
  released int;
begin
  perform from outbox.receiver where id = p_receiver and releasing for no key update;
  if not found then
    return 0;
  end if;
  update outbox.delivery d set due_at = date_trunc('milliseconds', now())
    from (select k.id from outbox.delivery k
           where k.receiver_id = p_receiver and k.status = 'PENDING' and k.due_at is null
           order by k.receiver_id, k.id limit p_limit) kept
   where d.id = kept.id;
  get diagnostics released = row_count;
  if released < p_limit then
    update outbox.receiver set releasing = false where id = p_receiver;
  end if;
  return released;
end $$;

-- When a receiver can be sent to again, its waiting deliveries become due. No more than 500 do so here, because the
-- caller waits for this transaction; the workers release the rest. When a receiver can no longer be sent to, no
-- delivery changes: a claim checks the receiver itself.
create function outbox.receiver_changed() returns trigger language plpgsql as $$
begin
  update outbox.receiver set releasing = outbox.deliverable(new) where id = new.id;
  perform outbox.release_kept(new.id, 500);
  return null;
end $$;

create trigger receiver_changed after update of url, status on outbox.receiver for each row
  when (outbox.deliverable(old) <> outbox.deliverable(new)) execute function outbox.receiver_changed();

-- Records in a receiver's circuit breaker the outcome of attempts that ended together. Answers OPENED or CLOSED, or
-- null when neither happened.
--
-- Failures add up. At `p_trip_after` failures in a row the breaker opens for `p_cool_ms`, doubled with each opening up
-- to `p_cool_max_ms`, or for `p_asked_ms` when the receiver asked for longer. While it is open and no probe is under
-- way, a failure belongs to an attempt that was sent before it opened, and changes nothing. A success closes it. The
-- number of openings is forgotten with the next success after that, or once it has been closed for `p_cool_max_ms`: a
-- receiver that answers its probe and then fails again is left alone for longer each time.
create function outbox.note_outcomes(p_receiver uuid, p_delivered boolean, p_attempts int, p_asked_ms int,
  p_trip_after int, p_cool_ms int, p_cool_max_ms int, p_now timestamptz)
returns text language plpgsql as $$
begin
  if p_delivered then
    update outbox.breaker set failures = 0, failing_since = p_now, open_until = null, probing = false
     where receiver_id = p_receiver and open_until is not null;
    if found then
      return 'CLOSED';
    end if;
    delete from outbox.breaker where receiver_id = p_receiver;
    return null;
  end if;
  insert into outbox.breaker as b (receiver_id, failures, failing_since, last_failed_at)
  values (p_receiver, p_attempts, p_now, p_now)
  on conflict (receiver_id) do update
     set failures = b.failures + p_attempts,
         failing_since = case when b.failures = 0 then p_now else b.failing_since end,
         openings = case when b.failures = 0 and b.failing_since < p_now - p_cool_max_ms * interval '1 millisecond'
                         then 0 else b.openings end,
         last_failed_at = p_now;
  update outbox.breaker
     set openings = openings + 1, probing = false,
         open_until = p_now + interval '1 millisecond'
           * greatest(p_asked_ms, least(p_cool_max_ms, p_cool_ms * power(2, least(openings, 20))))
   where receiver_id = p_receiver and failures >= p_trip_after and (open_until is null or probing);
  return case when found then 'OPENED' end;
end $$;
