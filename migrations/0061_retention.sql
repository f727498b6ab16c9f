-- What is forgotten is found by an index, however much is kept.
create index delivery_forgettable on webhooks.delivery (purged_at) where purged_at is not null;--> statement-breakpoint
-- A delivery that is deleted is looked for as the one that another replays.
create index delivery_replay on webhooks.delivery (replay_of) where replay_of is not null;--> statement-breakpoint
create index message_kept on inbox.message (ended_at) where body_sealed is not null;--> statement-breakpoint
create index approval_kept on approvals.approval (ended_at) where input_sealed is not null;--> statement-breakpoint
create index evidence_said on disputes.evidence (created_at) where said_sealed is not null;--> statement-breakpoint
create index closed_portal_link_expiry on partners.closed_portal_link (expires_at);--> statement-breakpoint
create index receiver_previous_secret on outbox.receiver (previous_secret_until) where previous_secret_until is not null;--> statement-breakpoint
create index application_registrant on applications.application (created_at)
  where status = 'PENDING' and not built_in and (email_sealed is not null or image_url is not null);--> statement-breakpoint

-- The smallest UUID of version 7 at a moment: its first 48 bits are milliseconds (RFC 9562 5.7).
create or replace function webhooks.first_id_at(p_at timestamptz)
returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(greatest(floor(extract(epoch from p_at) * 1000), 0)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;--> statement-breakpoint

-- Ends up to `p_limit` deliveries that have waited since before a moment: held, due and not taken, or parked behind such a one.
create or replace function webhooks.end_waiting(p_before timestamptz, p_limit int)
returns int language plpgsql as $$
declare
  v_first constant uuid := webhooks.first_id_at(p_before);
  v_ended int;
begin
  update webhooks.delivery d
     set status = 'FAILED', last_error = 'waited too long', updated_at = now(),
         due_at = coalesce(nullif(d.due_at, 'infinity'), date_trunc('milliseconds', now()))
   where d.id = any (array(
     select k.id from webhooks.delivery k
      where k.id = any (array(
              select w.id from outbox.receiver r cross join lateral (
                (select h.id from webhooks.delivery h
                  where h.receiver_id = r.id and h.status = 'PENDING' and h.due_at is null and h.id < v_first
                  order by h.id limit p_limit)
                union all
                (select u.id from webhooks.delivery u
                  where u.receiver_id = r.id and u.status = 'PENDING' and u.due_at < p_before
                  order by u.due_at limit p_limit)
                union all
                (select p.id from webhooks.delivery p
                  where p.receiver_id = r.id and p.status = 'PENDING' and p.due_at = 'infinity' and p.id < v_first
                  limit p_limit)) w
              limit p_limit))
        and k.status = 'PENDING' and (k.leased_until is null or k.leased_until <= now())
        for update skip locked));
  get diagnostics v_ended = row_count;
  return v_ended;
end $$;--> statement-breakpoint

-- Deletes all deliveries of up to `p_limit` events that were purged before a moment: of none that can still be sent. Returns how
-- many deliveries that were.
create or replace function webhooks.forget_deliveries(p_before timestamptz, p_limit int)
returns int language plpgsql as $$
declare
  v_events uuid[];
  v_gone int;
begin
  -- an event that is locked has no delivery made or purged meanwhile
  select array_agg(e.id) into v_events from (
    select e.id from outbox.event e
     where e.id = any (array(
             select k.event_id from webhooks.delivery k where k.purged_at < p_before order by k.purged_at limit p_limit))
       and e.body is null
       for update skip locked) e;
  delete from webhooks.delivery d
   where d.event_id = any (v_events)
     and not exists (select from webhooks.delivery s where s.event_id = d.event_id and s.purged_at is null);
  get diagnostics v_gone = row_count;
  return v_gone;
end $$;--> statement-breakpoint

-- What has waited too long is not sent again by itself when its receiver is well: nobody waited for it.
drop trigger note_failure on webhooks.delivery;--> statement-breakpoint
create trigger note_failure after update of status on webhooks.delivery for each row
  when (old.status = 'PENDING' and new.status = 'FAILED'
    and (new.last_error is null or new.last_error not in ('endpoint deleted', 'waited too long')))
  execute function webhooks.note_failure();--> statement-breakpoint

-- What nobody wants is not kept: of such an event the digest of its body stays.
create or replace function webhooks.create_deliveries() returns trigger language plpgsql as $$
declare
  v_made int;
  v_all int;
begin
  insert into webhooks.delivery (event_id, receiver_id, due_at)
    select e.id, r.id, date_trunc('milliseconds', now())
    from emitted e cross join lateral (
      select x.id from outbox.receiver x
        where x.id = e.receiver_id and x.url is not null and x.others = 0 and x.events is null and not x.ordered
          and not exists (select from webhooks.pause p where p.receiver_id = x.id and p.resumed_at is null) offset 0) r;
  get diagnostics v_made = row_count;
  v_all := (select count(*) from emitted);
  if v_made < v_all and v_all = 1 then
    insert into webhooks.delivery (event_id, receiver_id, due_at)
      select e.id, e.receiver_id, webhooks.due_under_lock(e.receiver_id) from emitted e
        where exists (select from outbox.receiver x
          where x.id = e.receiver_id and x.others = 0 and x.events is null and not x.ordered);
    get diagnostics v_made = row_count;
  end if;
  if v_made < v_all then
    -- materialized: a join would ask about each endpoint once for each event
    with addressed as materialized (
      select distinct e.receiver_id as id from emitted e
        where not exists (select from webhooks.delivery d where d.event_id = e.id)),
    endpoint as materialized (
      select x.*, webhooks.first_due(x.id) as due_at
        from (select r.id, a.id as addressed_id, r.events, r.ordered
                from addressed a cross join lateral (
                  select * from outbox.receiver x where x.id = a.id
                  union all
                  select * from outbox.receiver x where x.default_id = a.id and x.deleted_at is null) r
               order by r.id) x)
    insert into webhooks.delivery (event_id, receiver_id, due_at, lane, position)
      select e.id, t.id, t.due_at, case when t.ordered and e.sequence is not null then e.reference end,
          case when t.ordered then e.sequence end
      from emitted e join endpoint t on t.addressed_id = e.receiver_id
      where case when webhooks.is_for_one(e.event) then t.id = e.receiver_id else t.events is null or e.event = any (t.events) end
      order by e.id, t.id;
    update outbox.event v set body = null, body_digest = sha256(convert_to(v.body, 'UTF8'))
      from emitted e
      where v.id = e.id and not exists (select from webhooks.delivery d where d.event_id = e.id);
  end if;
  return null;
end $$;
