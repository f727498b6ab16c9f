-- Servers from 0087 on work with it.
-- Deliveries in parts, one for each month of Africa/Lagos, told by their id, as events and attempts are. What is there becomes the
-- first part, without a row being read.

-- What was replayed before there was a record of it. Before any lock: nobody waits for it. None of these deliveries goes meanwhile.
insert into webhooks.replayed (event_id, receiver_id)
  select d.event_id, d.receiver_id from webhooks.delivery d where d.replay_of is not null for key share
  on conflict do nothing;--> statement-breakpoint

-- All locks at once, in the order in which postings take them.
lock table outbox.event in share row exclusive mode;--> statement-breakpoint
lock table webhooks.delivery in access exclusive mode;--> statement-breakpoint
lock table webhooks.attempt in share row exclusive mode;--> statement-breakpoint
lock table webhooks.failure in share row exclusive mode;--> statement-breakpoint

alter table webhooks.attempt drop constraint attempt_delivery_id_delivery_id_fk;--> statement-breakpoint
alter table webhooks.failure drop constraint failure_delivery_id_delivery_id_fk;--> statement-breakpoint
drop trigger next_in_lane on webhooks.delivery;--> statement-breakpoint
drop trigger note_failure on webhooks.delivery;--> statement-breakpoint
drop trigger note_replay on webhooks.delivery;--> statement-breakpoint
drop trigger forget_replay on webhooks.delivery;--> statement-breakpoint
-- Deliveries of one event go together, so that none is left whose first one is gone: the check of the books says so. Enforced, each
-- that goes would be looked for in all parts.
alter table webhooks.delivery drop constraint delivery_replay_of_delivery_id_fk;--> statement-breakpoint
drop index webhooks.delivery_replay;--> statement-breakpoint
drop index webhooks.delivery_replayed_once;--> statement-breakpoint
alter table webhooks.delivery rename to delivery_before;--> statement-breakpoint
do $$
declare
  v_index name;
begin
  for v_index in select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'webhooks.delivery_before'::regclass
  loop
    execute format('alter index webhooks.%I rename to %I', v_index, replace(v_index, 'delivery_', 'delivery_before_'));
  end loop;
end $$;--> statement-breakpoint

create table webhooks.delivery (
  like webhooks.delivery_before including defaults including storage,
  constraint delivery_pkey primary key (id),
  constraint delivery_event_id_event_id_fk foreign key (event_id) references outbox.event (id),
  constraint delivery_receiver_id_receiver_id_fk foreign key (receiver_id) references outbox.receiver (id) not enforced,
  constraint delivery_status check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  constraint delivery_attempts check (attempts between 0 and 5),
  constraint delivery_lane check ((lane is null) = (position is null))
) partition by range (id);--> statement-breakpoint
create index delivery_in_lane on webhooks.delivery (receiver_id, lane, position) where status = 'PENDING' and lane is not null;--> statement-breakpoint
create index delivery_due on webhooks.delivery (receiver_id, due_at) where status = 'PENDING' and due_at is not null;--> statement-breakpoint
create index delivery_held on webhooks.delivery (receiver_id, id) where status = 'PENDING' and due_at is null;--> statement-breakpoint
create index delivery_due_newest on webhooks.delivery (id) where status = 'PENDING' and due_at is not null;--> statement-breakpoint
create index delivery_held_newest on webhooks.delivery (id) where status = 'PENDING' and due_at is null;--> statement-breakpoint
create index delivery_event on webhooks.delivery (event_id);--> statement-breakpoint
create index delivery_receiver on webhooks.delivery (receiver_id, id);--> statement-breakpoint
create index delivery_purgeable on webhooks.delivery (delivered_at) where status = 'DELIVERED' and purged_at is null;--> statement-breakpoint
create index delivery_failed_purgeable on webhooks.delivery (id) where status = 'FAILED' and purged_at is null;--> statement-breakpoint
create index delivery_failed on webhooks.delivery (receiver_id, event_id) where status = 'FAILED';--> statement-breakpoint
create index delivery_failed_newest on webhooks.delivery (receiver_id, id) where status = 'FAILED';--> statement-breakpoint
create index delivery_failed_all on webhooks.delivery (id) where status = 'FAILED';--> statement-breakpoint
create index delivery_forgettable on webhooks.delivery (purged_at) where purged_at is not null;--> statement-breakpoint
create trigger next_in_lane after update of status on webhooks.delivery for each row
  when (new.lane is not null and old.status = 'PENDING' and new.status <> 'PENDING') execute function webhooks.next_in_lane();--> statement-breakpoint
create trigger note_failure after update of status on webhooks.delivery for each row
  when (old.status = 'PENDING' and new.status = 'FAILED'
    and (new.last_error is null or new.last_error not in ('endpoint deleted', 'waited too long')))
  execute function webhooks.note_failure();--> statement-breakpoint
create trigger note_replay before insert on webhooks.delivery for each row
  when (new.replay_of is not null) execute function webhooks.note_replay();--> statement-breakpoint
create trigger forget_replay after delete on webhooks.delivery for each row
  when (old.replay_of is not null) execute function webhooks.forget_replay();--> statement-breakpoint
-- Until when it goes stands in its constraint, so that it is not read; where nothing is in it, until this month.
do $$
declare
  v_until uuid;
begin
  select substring(pg_get_constraintdef(c.oid) from '''([^'']+)''')::uuid into strict v_until
    from pg_constraint c where c.conrelid = 'webhooks.delivery_before'::regclass and c.conname = 'delivery_until' and c.convalidated;
  if not exists (select from webhooks.delivery_before) then
    v_until := outbox.first_id_at(date_trunc('month', now() at time zone 'Africa/Lagos') at time zone 'Africa/Lagos');
  end if;
  execute format('alter table webhooks.delivery attach partition webhooks.delivery_before for values from (minvalue) to (%L)', v_until);
end $$;--> statement-breakpoint
alter table webhooks.delivery_before drop constraint delivery_until;--> statement-breakpoint
-- What is there was checked by those that they follow, up to this moment: so it need not be read once more to be true.
alter table webhooks.attempt add constraint attempt_delivery_id_delivery_id_fk
  foreign key (delivery_id) references webhooks.delivery (id) on delete cascade not valid;--> statement-breakpoint
alter table webhooks.failure add constraint failure_delivery_id_delivery_id_fk
  foreign key (delivery_id) references webhooks.delivery (id) on delete cascade not valid;--> statement-breakpoint

-- As rights.sql gives them: servers go on while the files that follow run.
do $$
begin
  if exists (select from pg_roles where rolname = 'paytag_server_role') then
    grant select, insert, update (status, attempts, due_at, leased_until, last_error, last_attempt_at, last_status_code,
      last_duration_ms, last_attempt_error, last_response, delivered_at, purged_at, updated_at) on webhooks.delivery to paytag_server_role;
    grant select on webhooks.replayed to paytag_server_role;
  end if;
end $$;--> statement-breakpoint

-- As before; and nothing is asked of a part before it is known to be one of this table, whatever plan PostgreSQL takes: bounds of
-- other tables' parts are of other kinds.
create or replace function outbox.parts(p_table regclass) returns table (part text, starts_at timestamptz, ends_at timestamptz)
language sql stable as $$
  select c.relname::text, coalesce(uuid_extract_timestamp(substring(b.bound from 'FROM \(''([^'']+)''\)')::uuid), '-infinity'),
      coalesce(uuid_extract_timestamp(substring(b.bound from 'TO \(''([^'']+)''\)')::uuid), 'infinity')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
   where i.inhparent = p_table and not i.inhdetachpending offset 0
$$;--> statement-breakpoint

-- As before; a new part is stored as the newest one is, e.g. with as much room left in its pages.
create or replace function outbox.make_parts(p_table regclass) returns int language plpgsql set lock_timeout = '200ms' as $$
declare
  v_this constant timestamp := date_trunc('month', now() at time zone 'Africa/Lagos');
  v_space name;
  v_name name;
  v_part name;
  v_start timestamptz;
  v_stored text;
  v_made int := 0;
begin
  select n.nspname, c.relname into strict v_space, v_name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = p_table;
  for v_start in
    select month.starts_at from (
      select (v_this + ahead * interval '1 month') at time zone 'Africa/Lagos' as starts_at from generate_series(0, 12) ahead) month
     where not exists (select from outbox.parts(p_table) p where p.starts_at <= month.starts_at and p.ends_at > month.starts_at)
     order by 1
  loop
    -- Who finds another at it leaves it to that one.
    if not pg_try_advisory_xact_lock(p_table::oid::bigint) then return v_made; end if;
    execute format('lock table only %s in share update exclusive mode', p_table);
    continue when exists (select from outbox.parts(p_table) p where p.starts_at <= v_start and p.ends_at > v_start);
    v_part := v_name || '_' || to_char(v_start at time zone 'Africa/Lagos', 'YYYY_MM');
    select ' with (' || array_to_string(c.reloptions, ', ') || ')' into v_stored
      from outbox.parts(p_table) p join pg_class c on c.relname = p.part and c.relnamespace = to_regnamespace(v_space)
     order by p.starts_at desc limit 1;
    execute format('create table %I.%I (like %s including all)%s', v_space, v_part, p_table, coalesce(v_stored, ''));
    execute format('alter table %s attach partition %I.%I for values from (%L) to (%L)', p_table, v_space, v_part,
      outbox.first_id_at(v_start),
      outbox.first_id_at((v_start at time zone 'Africa/Lagos' + interval '1 month') at time zone 'Africa/Lagos'));
    v_made := v_made + 1;
  end loop;
  -- Not while those locks are held.
  if v_made = 0 and (select coalesce(s.last_analyze < now() - interval '1 day', true) from pg_stat_all_tables s where s.relid = p_table)
  then execute format('analyze only %s', p_table); end if;
  return v_made;
end $$;--> statement-breakpoint

-- Of deliveries, and of their earlier attempts.
create or replace function webhooks.make_months() returns int language sql
security definer set lock_timeout = '200ms' set search_path = pg_catalog, pg_temp as $$
  select outbox.make_parts('webhooks.delivery') + outbox.make_parts('webhooks.attempt')
$$;--> statement-breakpoint
select webhooks.make_months();--> statement-breakpoint

-- Drops a part whose month is over and in which nothing is left: of attempts one that has none, and of whose deliveries none may have
-- another; else one of deliveries that are all forgotten. Says how many. It takes its locks in the order of postings, so that none of
-- them and this wait for each other, and waits a fifth of a second for each.
create or replace function webhooks.drop_months() returns int language plpgsql
security definer set lock_timeout = '200ms' set search_path = pg_catalog, pg_temp as $$
declare
  v_part record;
  v_any boolean;
begin
  for v_part in
    select t.name, p.part, outbox.first_id_at(case when isfinite(p.starts_at) then p.starts_at else to_timestamp(0) end) as starts,
        outbox.first_id_at(p.ends_at) as ends
      from unnest(array['attempt', 'delivery']) with ordinality t (name, place)
      cross join lateral outbox.parts(format('webhooks.%I', t.name)::regclass) p
     where p.ends_at < now() - interval '1 day' order by t.place, p.ends_at
  loop
    -- Looked at first without a lock: most that are over are not empty yet. What is PENDING may have another attempt; by two
    -- conditions, so that each is found by an index.
    execute format('select exists (select from webhooks.%I)', v_part.part) into v_any;
    continue when v_any or v_part.name = 'attempt' and (exists (select from webhooks.delivery d
      where d.id >= v_part.starts and d.id < v_part.ends and d.status = 'PENDING' and d.due_at is not null)
      or exists (select from webhooks.delivery d
      where d.id >= v_part.starts and d.id < v_part.ends and d.status = 'PENDING' and d.due_at is null));
    if not pg_try_advisory_xact_lock('webhooks.attempt'::regclass::oid::bigint) then return 0; end if;
    if v_part.name = 'attempt' then
      lock table webhooks.attempt in access exclusive mode;
    else
      lock table outbox.event, webhooks.delivery, webhooks.attempt, webhooks.failure in access exclusive mode;
    end if;
    execute format('select exists (select from webhooks.%I)', v_part.part) into v_any;
    if v_any then return 0; end if;
    -- Attempts and failures name deliveries: of this part there are none.
    if v_part.name = 'delivery' then execute format('alter table webhooks.delivery detach partition webhooks.%I', v_part.part); end if;
    execute format('drop table webhooks.%I', v_part.part);
    return 1;
  end loop;
  return 0;
exception when lock_not_available then -- e.g. a backup, which reads all tables
  return 0;
end $$;
