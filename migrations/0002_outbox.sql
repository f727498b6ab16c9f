-- Emitting events: written in the caller's transaction, so that an event exists exactly when its cause does. Each goes to
-- the one receiver of its owner; for an owner without a receiver no event is written.

-- Writes events in the order given.
create function outbox.emit_all(p_owners uuid[], p_events text[], p_references text[], p_bodies text[], p_sequences bigint[])
returns void language sql as $$
  insert into outbox.event (receiver_id, event, reference, body, sequence)
  select r.id, u.event, u.reference, u.body, u.sequence
  from unnest(p_owners, p_events, p_references, p_bodies, p_sequences) with ordinality
      u(owner, event, reference, body, sequence, place)
    join outbox.receiver r on r.owner_id = u.owner
  order by u.place
$$;

-- Writes one event and returns its id, or null when its owner has no receiver.
create function outbox.emit(p_owner uuid, p_event text, p_reference text, p_body text, p_subject uuid default null)
returns uuid language sql as $$
  insert into outbox.event (receiver_id, event, reference, body, subject_id)
  select r.id, p_event, p_reference, p_body, p_subject from outbox.receiver r where r.owner_id = p_owner
  returning id
$$;
