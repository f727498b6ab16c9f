-- Writes an event and its delivery in the caller's transaction, to the one receiver of `p_owner`.
-- An owner without a receiver is told nothing; one without a URL keeps its events until it has one.
-- Due at once: the moment is cut, not rounded, to the column's millisecond, so that it never lies ahead.
create function outbox.emit(p_owner uuid, p_event text, p_reference text, p_body text, p_sequence bigint default null)
returns void language sql as $$
  with told as (
    insert into outbox.event (receiver_id, event, reference, body, sequence)
    select r.id, p_event, p_reference, p_body, p_sequence from outbox.receiver r where r.owner_id = p_owner
    returning id, receiver_id)
  insert into outbox.delivery (event_id, receiver_id, due_at)
  select id, receiver_id, date_trunc('milliseconds', now()) from told
$$;
