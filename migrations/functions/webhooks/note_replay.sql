-- Who comes second waits for the first, and makes none if that commits.
create or replace function webhooks.note_replay() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into webhooks.replayed (event_id, receiver_id) values (new.event_id, new.receiver_id) on conflict do nothing;
  return case when found then new end;
end $$;

create or replace trigger note_replay before insert on webhooks.delivery for each row when (new.replay_of is not null)
  execute function webhooks.note_replay();
