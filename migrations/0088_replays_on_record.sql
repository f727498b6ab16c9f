-- Servers from 0087 on work with it.
-- Deliveries go into parts by month (0092), where no index over all parts keeps an event from being replayed twice by itself: so
-- what was replayed is on record, by a key of its own. A trigger writes it, for whichever server replays.
lock table webhooks.delivery in access exclusive mode;--> statement-breakpoint
create table webhooks.replayed (
  event_id uuid not null,
  receiver_id uuid not null,
  constraint replayed_event_id_receiver_id_pk primary key (event_id, receiver_id)
);--> statement-breakpoint

-- Who comes second waits for the first, and makes none if that commits.
create function webhooks.note_replay() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into webhooks.replayed (event_id, receiver_id) values (new.event_id, new.receiver_id) on conflict do nothing;
  return case when found then new end;
end $$;--> statement-breakpoint
create function webhooks.forget_replay() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from webhooks.replayed where event_id = old.event_id and receiver_id = old.receiver_id;
  return null;
end $$;--> statement-breakpoint
create trigger note_replay before insert on webhooks.delivery for each row
  when (new.replay_of is not null) execute function webhooks.note_replay();--> statement-breakpoint
create trigger forget_replay after delete on webhooks.delivery for each row
  when (old.replay_of is not null) execute function webhooks.forget_replay();--> statement-breakpoint

-- Until when the deliveries go that are there: what makes them the first part without being read again. Three months ahead, so
-- that nothing is refused while the files that follow have not run.
do $$
declare
  v_last timestamptz;
  v_until timestamptz;
begin
  select greatest(now(), uuid_extract_timestamp((select id from webhooks.delivery order by id desc limit 1))) into v_last;
  v_until := (date_trunc('month', v_last at time zone 'Africa/Lagos') + interval '3 months') at time zone 'Africa/Lagos';
  execute format('alter table webhooks.delivery add constraint delivery_until check (id < %L) not valid', outbox.first_id_at(v_until));
end $$;
