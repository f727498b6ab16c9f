-- One event, as outbox.emit_all writes several. For functions that run with the rights of the owner already.
create or replace function outbox.emit_movement(p_owner uuid, p_event text, p_reference text, p_body text, p_sequence bigint) returns int
language plpgsql as $$
declare
  v_written int;
begin
  insert into outbox.event (receiver_id, event, reference, body, sequence)
    select x.id, p_event, p_reference, p_body, p_sequence from outbox.receiver x where x.owner_id = p_owner;
  get diagnostics v_written = row_count;
  return v_written;
end $$;
