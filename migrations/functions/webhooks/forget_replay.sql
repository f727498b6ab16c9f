create or replace function webhooks.forget_replay() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from webhooks.replayed where event_id = old.event_id and receiver_id = old.receiver_id;
  return null;
end $$;

create or replace trigger forget_replay after delete on webhooks.delivery for each row when (old.replay_of is not null)
  execute function webhooks.forget_replay();
