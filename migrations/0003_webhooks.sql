-- The delivery of events: the first delivery of each, those held while nothing can be sent to their receiver, and the
-- circuit breaker of a receiver.

-- When a new delivery to a receiver is due: now, or null while its receiver is paused or has no URL. Null is returned
-- only with the receiver's row locked: whoever makes it deliverable waits for this transaction, and so finds the
-- delivery. The time is truncated to the column's millisecond, not rounded, so that it is never in the future.
create function webhooks.first_due(p_receiver uuid) returns timestamptz language plpgsql as $$
declare
  deliverable boolean;
begin
  select r.url is not null and not exists (
           select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
    into deliverable from outbox.receiver r where r.id = p_receiver;
  if not deliverable then
    perform from outbox.receiver r where r.id = p_receiver for share;
    select r.url is not null and not exists (
             select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
      into deliverable from outbox.receiver r where r.id = p_receiver;
  end if;
  return case when deliverable then date_trunc('milliseconds', now()) end;
end $$;

-- Every event has a delivery from the moment it is written, in the same transaction.
create function webhooks.create_deliveries() returns trigger language plpgsql as $$
begin
  with due as materialized (
    select r.receiver_id, webhooks.first_due(r.receiver_id) as at
      from (select distinct receiver_id from emitted order by receiver_id) r)
  insert into webhooks.delivery (event_id, receiver_id, due_at)
  select e.id, e.receiver_id, due.at from emitted e join due using (receiver_id) order by e.id;
  return null;
end $$;

create trigger create_deliveries after insert on outbox.event referencing new table as emitted
  for each statement execute function webhooks.create_deliveries();

-- Makes up to `p_limit` held deliveries of a receiver due, the oldest first, and returns how many. Nobody else releases
-- its deliveries at the same time, and nobody pauses it meanwhile: both need the row of `release`.
create function webhooks.release_held(p_receiver uuid, p_limit int) returns int language plpgsql as $$
declare
  released int;
begin
  perform from webhooks.release where receiver_id = p_receiver for update;
  if not found then
    return 0;
  end if;
  update webhooks.delivery d set due_at = date_trunc('milliseconds', now())
    from (select k.id from webhooks.delivery k
           where k.receiver_id = p_receiver and k.status = 'PENDING' and k.due_at is null
           order by k.receiver_id, k.id limit p_limit) held
   where d.id = held.id;
  get diagnostics released = row_count;
  if released < p_limit then
    delete from webhooks.release where receiver_id = p_receiver;
  end if;
  return released;
end $$;

-- To be called after a receiver's URL or pause has changed, with its row locked. When it can be sent to, its held
-- deliveries become due: no more than 500 here, because the caller waits for this transaction; the workers release the
-- rest. When it cannot, no delivery changes: a claim looks at the receiver itself.
create function webhooks.release_if_deliverable(p_receiver uuid) returns void language plpgsql as $$
begin
  if exists (select from outbox.receiver r where r.id = p_receiver and r.url is not null and not exists (
               select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)) then
    insert into webhooks.release (receiver_id) values (p_receiver) on conflict do nothing;
    perform webhooks.release_held(p_receiver, 500);
  else
    delete from webhooks.release where receiver_id = p_receiver;
  end if;
end $$;

create function webhooks.receiver_url_changed() returns trigger language plpgsql as $$
begin
  perform webhooks.release_if_deliverable(new.id);
  return null;
end $$;

create trigger receiver_url_changed after update of url on outbox.receiver for each row
  when ((old.url is null) <> (new.url is null)) execute function webhooks.receiver_url_changed();

-- Records in a receiver's circuit breaker how attempts that ended together went. Returns OPENED or CLOSED, or null when
-- neither happened.
--
-- Failures add up. At `p_trip_after` failures in a row the breaker opens for `p_cool_ms`, doubled with each opening up
-- to `p_cool_max_ms`, or for `p_asked_ms` when the receiver asked for longer. While it is open and no probe is under
-- way, a failure belongs to an attempt that was sent before it opened, and changes nothing. A success closes it. The
-- number of openings is forgotten with the next success after that, or once it has been closed for `p_cool_max_ms`: a
-- receiver that answers its probe and then fails again is left alone for longer each time.
create function webhooks.update_breaker(p_receiver uuid, p_delivered boolean, p_attempts int, p_asked_ms int,
  p_trip_after int, p_cool_ms int, p_cool_max_ms int, p_now timestamptz)
returns text language plpgsql as $$
begin
  if p_delivered then
    update webhooks.breaker set failures = 0, failing_since = p_now, open_until = null, probing = false
     where receiver_id = p_receiver and open_until is not null;
    if found then
      return 'CLOSED';
    end if;
    delete from webhooks.breaker where receiver_id = p_receiver;
    return null;
  end if;
  insert into webhooks.breaker as b (receiver_id, failures, failing_since, last_failed_at)
  values (p_receiver, p_attempts, p_now, p_now)
  on conflict (receiver_id) do update
     set failures = b.failures + p_attempts,
         failing_since = case when b.failures = 0 then p_now else b.failing_since end,
         openings = case when b.failures = 0 and b.failing_since < p_now - p_cool_max_ms * interval '1 millisecond'
                         then 0 else b.openings end,
         last_failed_at = p_now;
  update webhooks.breaker
     set openings = openings + 1, probing = false,
         open_until = p_now + interval '1 millisecond'
           * greatest(p_asked_ms, least(p_cool_max_ms, p_cool_ms * power(2, least(openings, 20))))
   where receiver_id = p_receiver and failures >= p_trip_after and (open_until is null or probing);
  return case when found then 'OPENED' end;
end $$;
