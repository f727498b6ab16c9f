-- Publishes the events of offers or decisions, those at these places, in the order of the places. An event: { owner, name, body } as
-- the member `event` of what was asked, with its id and reference.
create or replace function tag_transactions.publish(p_asked jsonb, p_places int[]) returns void language sql as $$
  select outbox.emit_all(array(
    select row(null, (body #>> '{event,owner}')::uuid, body #>> '{event,name}', body ->> 'reference', (body ->> 'id')::uuid,
        body #>> '{event,body}', null, null, null)::outbox.event
      from unnest(p_places) place, lateral (select p_asked -> (place - 1) as body offset 0) b order by place))
$$;
