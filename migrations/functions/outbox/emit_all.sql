-- Writes events of several owners, in the order given, and answers how many. In an event that is given, receiver_id is the owner; for an
-- owner without a receiver no event is written. Receivers are looked up one by one, by index, whatever the planner expects.
create or replace function outbox.emit_all(p_events outbox.event[]) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_written int;
begin
  insert into outbox.event (receiver_id, event, reference, subject_id, body, sequence)
  select r.id, (u.e).event, (u.e).reference, (u.e).subject_id, (u.e).body, (u.e).sequence
  from (select unnest(p_events) as e offset 0) u
    cross join lateral (select x.id from outbox.receiver x where x.owner_id = (u.e).receiver_id offset 0) r;
  get diagnostics v_written = row_count;
  return v_written;
end $$;
