-- True when events can be sent to a receiver now.
create function outbox.deliverable(outbox.receiver) returns boolean language sql immutable as $$
  select $1.status = 'ACTIVE' and $1.url is not null
$$;

-- When a new delivery to a receiver is due: at once, or not at all (null) while nothing can be sent to it. Not at all is
-- said only with the receiver's row locked: whoever makes it deliverable waits for this transaction, and so finds this
-- delivery. The moment is cut, not rounded, to the column's millisecond, so that it never lies ahead.
create function outbox.first_due(p_receiver uuid) returns timestamptz language plpgsql as $$
declare
  deliverable boolean;
begin
  select outbox.deliverable(r) into deliverable from outbox.receiver r where r.id = p_receiver;
  if not deliverable then
    select outbox.deliverable(r) into deliverable from outbox.receiver r where r.id = p_receiver for share;
  end if;
  return case when deliverable then date_trunc('milliseconds', now()) end;
end $$;

-- Writes events and their deliveries in the caller's transaction, each to the one receiver of its owner, in the order
-- given. An owner without a receiver is told nothing; one that nothing can be sent to keeps its events until it can.
create function outbox.emit_all(p_owners uuid[], p_events text[], p_references text[], p_bodies text[], p_sequences bigint[])
returns void language sql as $$
  with told as (
    insert into outbox.event (receiver_id, event, reference, body, sequence)
    select r.id, u.event, u.reference, u.body, u.sequence
    from unnest(p_owners, p_events, p_references, p_bodies, p_sequences) with ordinality
        u(owner, event, reference, body, sequence, place)
      join outbox.receiver r on r.owner_id = u.owner
    order by u.place
    returning id, receiver_id),
  due as materialized (
    select receiver_id, outbox.first_due(receiver_id) as at from (select distinct receiver_id from told) receivers)
  insert into outbox.delivery (event_id, receiver_id, due_at)
  select told.id, told.receiver_id, due.at from told join due using (receiver_id)
$$;

-- Writes one event.
create function outbox.emit(p_owner uuid, p_event text, p_reference text, p_body text, p_sequence bigint default null)
returns void language sql as $$
  select outbox.emit_all(array[p_owner], array[p_event], array[p_reference], array[p_body], array[p_sequence])
$$;

-- What waits for a receiver becomes due when something can be sent to it again, and is put aside when nothing can.
create function outbox.receiver_changed() returns trigger language plpgsql as $$
begin
  if outbox.deliverable(new) then
    update outbox.delivery set due_at = date_trunc('milliseconds', now())
     where receiver_id = new.id and status = 'PENDING' and due_at is null;
  else
    update outbox.delivery set due_at = null where receiver_id = new.id and status = 'PENDING' and due_at is not null;
  end if;
  return null;
end $$;

create trigger receiver_changed after update of url, status on outbox.receiver for each row
  when (outbox.deliverable(old) <> outbox.deliverable(new)) execute function outbox.receiver_changed();

-- How attempt `p_number` of a delivery ended, and what becomes of the delivery, unless it has moved on. One row at a time,
-- by key, so that no join of a batch with the tables is planned while these are small and kept when they are large; and
-- "is not distinct from" keeps the planner from the index of what is pending, where it would read all of it for one row.
create function outbox.record_outcome(p_delivery uuid, p_number int, p_status text, p_retry_in_ms int, p_status_code int,
  p_duration_ms int, p_error text, p_response bytea)
returns void language plpgsql as $$
begin
  update outbox.attempt
     set status_code = p_status_code, duration_ms = p_duration_ms, error = p_error, response = p_response
   where delivery_id = p_delivery and number = p_number and duration_ms is null;
  update outbox.delivery
     set status = p_status,
         last_error = coalesce(p_error, last_error),
         delivered_at = case when p_status = 'DELIVERED' then now() end,
         due_at = coalesce(now() + p_retry_in_ms * interval '1 millisecond', due_at),
         updated_at = now()
   where id = p_delivery and attempts = p_number and status is not distinct from 'PENDING';
end $$;
