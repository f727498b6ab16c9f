-- Emitting events: written in the caller's transaction, so that an event exists exactly when its cause does.

-- True when events can be sent to a receiver now.
create function outbox.deliverable(outbox.receiver) returns boolean language sql immutable as $$
  select $1.status = 'ACTIVE' and $1.url is not null
$$;

-- When a new delivery to a receiver is due: now, or no time yet (null) while nothing can be sent to it. Null is
-- answered only with the receiver's row locked: whoever makes it deliverable waits for this transaction, and so finds
-- the delivery. The time is truncated to the column's millisecond, not rounded, so that it is never in the future.
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

-- Writes events and their deliveries, each to the one receiver of its owner, in the order given. An owner without a
-- receiver gets no event. While nothing can be sent to a receiver, its deliveries wait.
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

-- Writes one event and its delivery.
create function outbox.emit(p_owner uuid, p_event text, p_reference text, p_body text, p_sequence bigint default null)
returns void language sql as $$
  select outbox.emit_all(array[p_owner], array[p_event], array[p_reference], array[p_body], array[p_sequence])
$$;
