-- How attempt `p_number` of a delivery ended, and what becomes of the delivery, unless it has moved on. One row at a time,
-- by key, so that no join of a batch with the tables is planned while these are small and kept when they are large; and
-- "is not distinct from" keeps the planner from the index of what is pending, where it would read all of it for one row.
-- The delivery is locked before its attempt, as a claim does. Returns the receiver, once: written again, or too late, it
-- says nothing of how its receiver is doing.
drop function outbox.record_outcome(uuid, int, text, int, int, int, text, bytea);--> statement-breakpoint
create function outbox.record_outcome(p_delivery uuid, p_number int, p_status text, p_retry_in_ms int, p_status_code int,
  p_duration_ms int, p_error text, p_response bytea)
returns uuid language plpgsql as $$
declare
  receiver uuid;
begin
  update outbox.delivery
     set status = p_status,
         last_error = coalesce(p_error, last_error),
         delivered_at = case when p_status = 'DELIVERED' then now() end,
         due_at = coalesce(now() + p_retry_in_ms * interval '1 millisecond', due_at),
         updated_at = now()
   where id = p_delivery and attempts = p_number and status is not distinct from 'PENDING'
  returning receiver_id into receiver;
  update outbox.attempt
     set status_code = p_status_code, duration_ms = p_duration_ms, error = p_error, response = p_response
   where delivery_id = p_delivery and number = p_number and duration_ms is null;
  return case when found then receiver end;
end $$;--> statement-breakpoint

-- What attempts that ended together say of their receiver. A success closes its breaker. Failures add up; from
-- `p_trip_after` in a row on it opens, for `p_cool_ms` doubled with each opening up to `p_cool_max_ms`, or for as long as
-- the receiver asked. While it is open and nothing probes it, what still fails was sent before, and changes nothing.
create function outbox.note_outcomes(p_receiver uuid, p_delivered boolean, p_attempts int, p_asked_ms int,
  p_trip_after int, p_cool_ms int, p_cool_max_ms int, p_now timestamptz)
returns text language plpgsql as $$
declare
  was_open boolean;
begin
  if p_delivered then
    delete from outbox.breaker where receiver_id = p_receiver returning open_until is not null into was_open;
    return case when was_open then 'CLOSED' end;
  end if;
  insert into outbox.breaker as b (receiver_id, failures, failing_since, last_failed_at)
  values (p_receiver, p_attempts, p_now, p_now)
  on conflict (receiver_id) do update set failures = b.failures + p_attempts, last_failed_at = p_now;
  update outbox.breaker
     set openings = openings + 1, probing = false,
         open_until = p_now + interval '1 millisecond'
           * greatest(p_asked_ms, least(p_cool_max_ms, p_cool_ms * power(2, least(openings, 20))))
   where receiver_id = p_receiver and failures >= p_trip_after and (open_until is null or probing);
  return case when found then 'OPENED' end;
end $$;--> statement-breakpoint

-- What waits for a receiver becomes due when something can be sent to it again, and is put aside when nothing can. Rows
-- are locked in the order in which outcomes are recorded, so that neither waits for the other in a circle.
create or replace function outbox.receiver_changed() returns trigger language plpgsql as $$
begin
  perform from outbox.delivery where receiver_id = new.id and status = 'PENDING' order by id for no key update;
  if outbox.deliverable(new) then
    update outbox.delivery set due_at = date_trunc('milliseconds', now())
     where receiver_id = new.id and status = 'PENDING' and due_at is null;
  else
    update outbox.delivery set due_at = null where receiver_id = new.id and status = 'PENDING' and due_at is not null;
  end if;
  return null;
end $$;
