-- Writes one event, in the caller's transaction, so that an event exists exactly when its cause does. Answers its id, or null when its
-- owner has no receiver: then no event is written.
create or replace function outbox.emit(p_owner uuid, p_event text, p_reference text, p_body text, p_subject uuid default null) returns uuid
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into outbox.event (receiver_id, event, reference, body, subject_id)
  select r.id, p_event, p_reference, p_body, p_subject from outbox.receiver r where r.owner_id = p_owner
  returning id
$$;
