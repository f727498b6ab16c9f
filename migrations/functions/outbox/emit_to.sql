-- Writes one event for one endpoint, whatever events it wants, and answers its id.
create or replace function outbox.emit_to(p_receiver uuid, p_event text, p_reference text, p_body text) returns uuid
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into outbox.event (receiver_id, event, reference, body) values (p_receiver, p_event, p_reference, p_body) returning id
$$;
