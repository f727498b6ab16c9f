-- Every event has a delivery from the moment it is written, in the same transaction.
create or replace function webhooks.create_deliveries() returns trigger language plpgsql as $$
declare
  v_all int := (select count(*) from emitted);
  -- Events that have a delivery.
  v_made uuid[];
  v_more uuid[];
  v_unwanted uuid[];
begin
  with made as (
    insert into webhooks.delivery (event_id, receiver_id, due_at)
      select e.id, r.id, case when r.is_due then date_trunc('milliseconds', now()) when v_all = 1 then webhooks.due_under_lock(r.id) end
      from emitted e cross join lateral (
        select x.id, x.url is not null
            and not exists (select from webhooks.pause p where p.receiver_id = x.id and p.resumed_at is null) as is_due
          from outbox.receiver x
          where x.id = e.receiver_id and x.others = 0 and x.events is null and not x.ordered offset 0) r
      where r.is_due or v_all = 1
      returning event_id)
  select coalesce(array_agg(event_id), '{}') into v_made from made;
  if cardinality(v_made) < v_all then
    -- materialized: a join would ask about each endpoint once for each event
    with addressed as materialized (
      select distinct e.receiver_id as id from emitted e where e.id <> all (v_made)),
    endpoint as materialized (
      select x.*, webhooks.first_due(x.id) as due_at
        from (select r.id, a.id as addressed_id, r.events, r.ordered
                from addressed a cross join lateral (
                  select * from outbox.receiver x where x.id = a.id
                  union all
                  select * from outbox.receiver x where x.default_id = a.id and x.deleted_at is null) r
               order by r.id) x),
    made as (
      insert into webhooks.delivery (event_id, receiver_id, due_at, lane, position)
        select e.id, t.id, t.due_at, case when t.ordered and e.sequence is not null then e.reference end,
            case when t.ordered then e.sequence end
        from emitted e join endpoint t on t.addressed_id = e.receiver_id
        where case when webhooks.is_for_one(e.event) then t.id = e.receiver_id else t.events is null or e.event = any (t.events) end
        order by e.id, t.id
        returning event_id)
    select coalesce(array_agg(event_id), '{}') into v_more from made;
    select array_agg(e.id) into v_unwanted from emitted e where e.id <> all (v_made) and e.id <> all (v_more);
    if v_unwanted is not null then
      update outbox.event set body = null, body_digest = sha256(convert_to(body, 'UTF8')) where id = any (v_unwanted);
    end if;
  end if;
  return null;
end $$;

create or replace trigger create_deliveries after insert on outbox.event referencing new table as emitted for each statement
  execute function webhooks.create_deliveries();
