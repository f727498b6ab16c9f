-- Every event has its deliveries from the moment it is written, in the same transaction: one to each endpoint of its owner that wants
-- it. A delivery is due now, or held while its endpoint takes none. An event that no endpoint wants keeps the digest of its body alone.
--
-- Locks for share the rows of endpoints that take none now, by id (webhooks.first_due); an endpoint that takes deliveries is not
-- locked, so postings of one partner do not wait for each other here.
create or replace function webhooks.create_deliveries() returns trigger language plpgsql as $$
declare
  v_count constant int := (select count(*) from emitted);
  -- The events that have a delivery: by the short way, and by the long one.
  v_short uuid[];
  v_long uuid[];
  v_unwanted uuid[];
begin
  -- The short way, for nearly all: an owner with one endpoint, which takes every event in any order, and takes deliveries now. An event
  -- that comes alone takes it also where the endpoint takes none.
  with made as (
    insert into webhooks.delivery (event_id, receiver_id, due_at)
      select e.id, r.id,
          case when r.is_deliverable then date_trunc('milliseconds', now()) when v_count = 1 then webhooks.due_under_lock(r.id) end
      from emitted e cross join lateral (
        select x.id, webhooks.is_deliverable(x) as is_deliverable
          from outbox.receiver x
         where x.id = e.receiver_id and x.others = 0 and x.events is null and not x.ordered offset 0) r
      where r.is_deliverable or v_count = 1
      returning event_id)
  select coalesce(array_agg(event_id), '{}') into v_short from made;

  -- The long way: every endpoint of the owners of the rest, with what each wants.
  if cardinality(v_short) < v_count then
    -- materialized: a join would ask about each endpoint once for each event
    with addressed as materialized (
      select distinct e.receiver_id as id from emitted e where e.id <> all (v_short)),
    endpoint as materialized (
      select x.*, webhooks.first_due(x.id) as due_at
        from (select r.id, a.id as addressed_id, r.events, r.ordered
                from addressed a cross join lateral (
                  select * from outbox.receiver x where x.id = a.id
                  union all
                  select * from outbox.receiver x where x.default_id = a.id and x.deleted_at is null) r
               order by r.id) x),
    made as (
      -- To an endpoint that takes one event at a time, the events of a wallet go in a lane, in the order of their numbers.
      insert into webhooks.delivery (event_id, receiver_id, due_at, lane, position)
        select e.id, t.id, t.due_at, case when t.ordered and e.sequence is not null then e.reference end,
            case when t.ordered then e.sequence end
        from emitted e join endpoint t on t.addressed_id = e.receiver_id
        where case when webhooks.is_for_one(e.event) then t.id = e.receiver_id else t.events is null or e.event = any (t.events) end
        order by e.id, t.id
        returning event_id)
    select coalesce(array_agg(event_id), '{}') into v_long from made;
    select array_agg(e.id) into v_unwanted from emitted e where e.id <> all (v_short) and e.id <> all (v_long);
    if v_unwanted is not null then
      update outbox.event set body = null, body_digest = sha256(convert_to(body, 'UTF8')) where id = any (v_unwanted);
    end if;
  end if;
  return null;
end $$;

create or replace trigger create_deliveries after insert on outbox.event referencing new table as emitted for each statement
  execute function webhooks.create_deliveries();
