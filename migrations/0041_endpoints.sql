-- Several endpoints of one owner: rows of outbox.receiver beside the default one, each with deliveries, pause, breaker and secret
-- of its own. An event is written for the owner's default endpoint, as before, and delivered to each that wants it.

ALTER TABLE "outbox"."receiver" ALTER COLUMN "owner_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "default_id" uuid;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "others" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "events" text[];--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "events_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "header_names" text[];--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "headers_sealed" "bytea";--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "ordered" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD CONSTRAINT "receiver_default_id_receiver_id_fk" FOREIGN KEY ("default_id") REFERENCES "outbox"."receiver"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD CONSTRAINT "receiver_default" CHECK (("outbox"."receiver"."owner_id" is null) = ("outbox"."receiver"."default_id" is not null));--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD CONSTRAINT "receiver_others" CHECK ("outbox"."receiver"."others" between 0 and 10 and ("outbox"."receiver"."others" = 0 or "outbox"."receiver"."default_id" is null));--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD CONSTRAINT "receiver_deleted" CHECK ("outbox"."receiver"."deleted_at" is null or ("outbox"."receiver"."default_id" is not null and "outbox"."receiver"."url" is null));--> statement-breakpoint
ALTER TABLE "outbox"."receiver" ADD CONSTRAINT "receiver_headers" CHECK (("outbox"."receiver"."header_names" is null) = ("outbox"."receiver"."headers_sealed" is null));--> statement-breakpoint
CREATE INDEX "receiver_beside" ON "outbox"."receiver" USING btree ("default_id","id") WHERE "outbox"."receiver"."default_id" is not null;--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ADD COLUMN "lane" text;--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ADD COLUMN "position" bigint;--> statement-breakpoint
ALTER TABLE "webhooks"."delivery" ADD CONSTRAINT "delivery_lane" CHECK (("webhooks"."delivery"."lane" is null) = ("webhooks"."delivery"."position" is null));--> statement-breakpoint
CREATE INDEX "delivery_in_lane" ON "webhooks"."delivery" USING btree ("receiver_id","lane","position") WHERE "webhooks"."delivery"."status" = 'PENDING' and "webhooks"."delivery"."lane" is not null;--> statement-breakpoint
CREATE TABLE "webhooks"."pace" (
	"receiver_id" uuid PRIMARY KEY NOT NULL,
	"rate" integer NOT NULL,
	"counts_from" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pace_rate" CHECK ("webhooks"."pace"."rate" > 0)
);
--> statement-breakpoint
ALTER TABLE "webhooks"."pace" ADD CONSTRAINT "pace_receiver_id_receiver_id_fk" FOREIGN KEY ("receiver_id") REFERENCES "outbox"."receiver"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint

-- Writes one event for one endpoint, whatever it wants.
create function outbox.emit_to(p_receiver uuid, p_event text, p_reference text, p_body text) returns uuid language sql as $$
  insert into outbox.event (receiver_id, event, reference, body) values (p_receiver, p_event, p_reference, p_body) returning id
$$;

-- Events that go to the endpoint that they were written for, and to no other of its owner.
create function webhooks.is_for_one(p_event text) returns boolean language sql immutable as $$
  select p_event in ('webhook.test', 'endpoint.paused', 'endpoint.recovered', 'delivery.failed')
$$;

-- First those of owners with one endpoint that takes every event, in any order, and now. For the others: each endpoint that wants
-- the event, and when it is due there, which webhooks.first_due says under a lock where it is not now. An endpoint that takes
-- one at a time of a wallet has its deliveries in lanes.
create or replace function webhooks.create_deliveries() returns trigger language plpgsql as $$
declare
  v_made int;
begin
  insert into webhooks.delivery (event_id, receiver_id, due_at)
    select e.id, r.id, date_trunc('milliseconds', now())
    from emitted e cross join lateral (
      select x.id from outbox.receiver x
        where x.id = e.receiver_id and x.url is not null and x.others = 0 and x.events is null and not x.ordered
          and not exists (select from webhooks.pause p where p.receiver_id = x.id and p.resumed_at is null) offset 0) r;
  get diagnostics v_made = row_count;
  if v_made < (select count(*) from emitted) then
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
  end if;
  return null;
end $$;

-- One at a time: when a delivery of a lane has ended, the next one is due that waited for it ('infinity', as the claim has put it).
-- A function, so that it sees what that claim has written while this one waited for its lock.
create function webhooks.next_in_lane() returns trigger language plpgsql as $$
begin
  update webhooks.delivery d set due_at = date_trunc('milliseconds', clock_timestamp())
   where d.due_at = 'infinity' and d.status = 'PENDING' and d.id = (
     select n.id from webhooks.delivery n
      where n.receiver_id = new.receiver_id and n.lane = new.lane and n.status = 'PENDING' order by n.position limit 1);
  return null;
end $$;

create trigger next_in_lane after update of status on webhooks.delivery for each row
  when (new.lane is not null and old.status = 'PENDING' and new.status <> 'PENDING') execute function webhooks.next_in_lane();

-- Ends up to `p_limit` pending deliveries of an endpoint that was deleted, and returns how many. What is being sent ends as it
-- does. Transactions that saw the endpoint may still write it some for a while; after that nobody need look any more.
create function webhooks.end_deliveries(p_receiver uuid, p_limit int) returns int language plpgsql as $$
declare
  ended int;
begin
  update webhooks.delivery d
     set status = 'FAILED', last_error = 'endpoint deleted', updated_at = now(),
         due_at = coalesce(nullif(d.due_at, 'infinity'), date_trunc('milliseconds', now()))
    from (select k.id from webhooks.delivery k
           where k.receiver_id = p_receiver and k.status = 'PENDING' and (k.leased_until is null or k.leased_until <= now())
           order by k.id limit p_limit for update skip locked) waiting
   where d.id = waiting.id;
  get diagnostics ended = row_count;
  if ended = 0 then
    delete from webhooks.release l using outbox.receiver r
     where l.receiver_id = p_receiver and r.id = p_receiver and r.deleted_at < now() - interval '2 minutes'
       and not exists (select from webhooks.delivery k where k.receiver_id = p_receiver and k.status = 'PENDING');
  end if;
  return ended;
end $$;

-- As it was, and for an endpoint that was deleted: ends what waits for it.
create or replace function webhooks.release_held(p_receiver uuid, p_limit int) returns int language plpgsql as $$
declare
  released int;
begin
  perform from webhooks.release where receiver_id = p_receiver for update;
  if not found then
    return 0;
  end if;
  if exists (select from outbox.receiver r where r.id = p_receiver and r.deleted_at is not null) then
    return webhooks.end_deliveries(p_receiver, p_limit);
  end if;
  update webhooks.delivery d set due_at = date_trunc('milliseconds', now())
    from (select k.id from webhooks.delivery k
           where k.receiver_id = p_receiver and k.status = 'PENDING' and k.due_at is null
           order by k.receiver_id, k.id limit p_limit) held
   where d.id = held.id;
  get diagnostics released = row_count;
  if released < p_limit then
    delete from webhooks.release where receiver_id = p_receiver;
  end if;
  return released;
end $$;
