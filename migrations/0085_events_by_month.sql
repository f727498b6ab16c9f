-- Servers from 0058 on work with it.
-- Events in parts, one for each month of Africa/Lagos, and so the earlier attempts of deliveries, with the delivery that they are
-- of. The id, which says when it was given, tells the part: so the key is one over all parts, what is looked for by its id is
-- looked for in one, and a foreign key can name it. What is there becomes the first part, without a row being read.

-- All locks at once, in the order in which postings take them.
lock table outbox.event in access exclusive mode;--> statement-breakpoint
lock table webhooks.delivery in access exclusive mode;--> statement-breakpoint
lock table webhooks.attempt in access exclusive mode;--> statement-breakpoint

-- The parts of a table that is in parts by its ids, and of what time each holds them.
create function outbox.parts(p_table regclass) returns table (part text, starts_at timestamptz, ends_at timestamptz)
language sql stable as $$
  select c.relname::text, coalesce(uuid_extract_timestamp(substring(b.bound from 'FROM \(''([^'']+)''\)')::uuid), '-infinity'),
      coalesce(uuid_extract_timestamp(substring(b.bound from 'TO \(''([^'']+)''\)')::uuid), 'infinity')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
   where i.inhparent = p_table and not i.inhdetachpending
$$;--> statement-breakpoint

-- The first id that can be given at a moment.
create function outbox.first_id_at(p_at timestamptz) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;--> statement-breakpoint

-- Takes a table as it stands for the first part of another: until when it goes stands in its constraint, so that it is not read;
-- where nothing is in it, until this month.
create function outbox.take_first_part(p_table regclass, p_part regclass, p_until name) returns void language plpgsql as $$
declare
  v_until uuid;
  v_any boolean;
begin
  select substring(pg_get_constraintdef(c.oid) from '''([^'']+)''')::uuid into strict v_until
    from pg_constraint c where c.conrelid = p_part and c.conname = p_until and c.convalidated;
  execute format('select exists (select from %s)', p_part) into v_any;
  if not v_any then v_until := outbox.first_id_at(date_trunc('month', now() at time zone 'Africa/Lagos') at time zone 'Africa/Lagos'); end if;
  execute format('alter table %s attach partition %s for values from (minvalue) to (%L)', p_table, p_part, v_until);
  execute format('alter table %s drop constraint %I', p_part, p_until);
end $$;--> statement-breakpoint

-- Makes the parts that are missing of this month and of the twelve after it, and says how many, for who owns the table. Nobody
-- waits for it longer than its own few statements take, and it waits for others no longer than a fifth of a second: it is asked
-- again and again. Once a day it also looks at the rows of all parts together, of which nothing else makes statistics.
create function outbox.make_parts(p_table regclass) returns int language plpgsql set lock_timeout = '200ms' as $$
declare
  v_this constant timestamp := date_trunc('month', now() at time zone 'Africa/Lagos');
  v_space name;
  v_name name;
  v_part name;
  v_start timestamptz;
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
    execute format('create table %I.%I (like %s including all)', v_space, v_part, p_table);
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

alter table webhooks.delivery drop constraint delivery_event_id_event_id_fk;--> statement-breakpoint
alter table outbox.event rename to event_before;--> statement-breakpoint
alter table outbox.event_before rename constraint event_pkey to event_before_pkey;--> statement-breakpoint
alter index outbox.event_receiver rename to event_before_receiver;--> statement-breakpoint
alter index outbox.event_subject rename to event_before_subject;--> statement-breakpoint
alter index outbox.event_time rename to event_before_time;--> statement-breakpoint
drop trigger create_deliveries on outbox.event_before;--> statement-breakpoint
drop trigger event_immutable on outbox.event_before;--> statement-breakpoint
create table outbox.event (
  like outbox.event_before including defaults including storage,
  constraint event_pkey primary key (id),
  constraint event_receiver_id_receiver_id_fk foreign key (receiver_id) references outbox.receiver (id) not enforced
) partition by range (id);--> statement-breakpoint
create index event_receiver on outbox.event (receiver_id, created_at);--> statement-breakpoint
create index event_subject on outbox.event (receiver_id, subject_id) where subject_id is not null;--> statement-breakpoint
create index event_time on outbox.event using brin (created_at) with (autosummarize = on);--> statement-breakpoint
create trigger create_deliveries after insert on outbox.event
  referencing new table as emitted for each statement execute function webhooks.create_deliveries();--> statement-breakpoint
-- Each part gets it from here: of an event the body may go, and its digest stays.
create trigger event_immutable before update on outbox.event for each row
  when (new.* is distinct from old.* and not (new.body is null and old.body is not null
    and new.body_digest is not distinct from sha256(convert_to(old.body, 'UTF8'))
    and not (new.id is distinct from old.id or new.receiver_id is distinct from old.receiver_id or new.event is distinct from old.event
      or new.reference is distinct from old.reference or new.subject_id is distinct from old.subject_id
      or new.sequence is distinct from old.sequence or new.created_at is distinct from old.created_at)))
  execute function ledger.refuse_change();--> statement-breakpoint
select outbox.take_first_part('outbox.event', 'outbox.event_before', 'event_until');--> statement-breakpoint
-- What is there was checked by the one that it follows, up to this moment: so it need not be read once more to be true.
alter table webhooks.delivery add constraint delivery_event_id_event_id_fk foreign key (event_id) references outbox.event (id) not valid;--> statement-breakpoint

alter table webhooks.attempt rename to attempt_before;--> statement-breakpoint
alter table webhooks.attempt_before rename constraint attempt_delivery_id_number_pk to attempt_before_pkey;--> statement-breakpoint
create table webhooks.attempt (
  like webhooks.attempt_before including defaults including storage,
  constraint attempt_delivery_id_number_pk primary key (delivery_id, number),
  constraint attempt_delivery_id_delivery_id_fk foreign key (delivery_id) references webhooks.delivery (id) on delete cascade,
  constraint attempt_number check (number between 1 and 5)
) partition by range (delivery_id);--> statement-breakpoint
select outbox.take_first_part('webhooks.attempt', 'webhooks.attempt_before', 'attempt_until');--> statement-breakpoint
drop function outbox.take_first_part(regclass, regclass, name);--> statement-breakpoint

-- As rights.sql gives them: servers go on while the files that follow run.
do $$
begin
  if exists (select from pg_roles where rolname = 'paytag_server_role') then
    grant select, update (body, body_digest) on outbox.event to paytag_server_role;
    grant select, insert, update, delete on webhooks.attempt to paytag_server_role;
  end if;
end $$;--> statement-breakpoint

create function outbox.make_months() returns int language sql set lock_timeout = '200ms' as $$
  select outbox.make_parts('outbox.event')
$$;--> statement-breakpoint
create function webhooks.make_months() returns int language sql set lock_timeout = '200ms' as $$
  select outbox.make_parts('webhooks.attempt')
$$;--> statement-breakpoint
select outbox.make_months();--> statement-breakpoint
select webhooks.make_months();--> statement-breakpoint

-- Drops the parts of the attempts whose month is over and in which nothing is left: no attempt, and no delivery that may have
-- another. Says how many. It waits for others no longer than a fifth of a second, and nobody longer for it.
create function webhooks.drop_months() returns int language plpgsql set lock_timeout = '200ms' as $$
declare
  v_part record;
  v_any boolean;
  v_dropped int := 0;
begin
  for v_part in
    select p.part, outbox.first_id_at(case when isfinite(p.starts_at) then p.starts_at else to_timestamp(0) end) as starts,
        outbox.first_id_at(p.ends_at) as ends
      from outbox.parts('webhooks.attempt') p where p.ends_at < now() - interval '1 day' order by p.ends_at
  loop
    -- Looked at first without a lock: most that are over are not empty yet. What is PENDING may have another attempt; by two
    -- conditions, so that each is found by an index.
    execute format('select exists (select from webhooks.%I)', v_part.part) into v_any;
    continue when v_any or exists (select from webhooks.delivery d
      where d.id >= v_part.starts and d.id < v_part.ends and d.status = 'PENDING' and d.due_at is not null)
      or exists (select from webhooks.delivery d
      where d.id >= v_part.starts and d.id < v_part.ends and d.status = 'PENDING' and d.due_at is null);
    if not pg_try_advisory_xact_lock('webhooks.attempt'::regclass::oid::bigint) then return v_dropped; end if;
    begin
      lock table only webhooks.attempt in access exclusive mode;
      execute format('select exists (select from webhooks.%I)', v_part.part) into v_any;
      continue when v_any;
      execute format('drop table webhooks.%I', v_part.part);
      v_dropped := v_dropped + 1;
    exception when lock_not_available then -- e.g. a backup, which reads all tables
      return v_dropped;
    end;
  end loop;
  return v_dropped;
end $$;--> statement-breakpoint

-- As before, of a row of the table of all parts. That of a row of what is the first part now is called by postings that began before
-- this; a later version drops it.
create function outbox.emit_all(p_events outbox.event[]) returns int language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_written int;
begin
  insert into outbox.event (receiver_id, event, reference, subject_id, body, sequence)
  select r.id, (u.e).event, (u.e).reference, (u.e).subject_id, (u.e).body, (u.e).sequence
  from (select unnest(p_events) as e offset 0) u
    cross join lateral (select x.id from outbox.receiver x where x.owner_id = (u.e).receiver_id offset 0) r;
  get diagnostics v_written = row_count;
  return v_written;
end $$;--> statement-breakpoint

-- Written down anew, so that connections which have read these functions before read them again.
alter function ledger.post_batch(jsonb, bigint[], ledger.account[], timestamptz) volatile;--> statement-breakpoint
alter function ledger.publish_movements(bigint[], int) volatile;--> statement-breakpoint
alter function tag_transactions.publish_all(jsonb) volatile;
