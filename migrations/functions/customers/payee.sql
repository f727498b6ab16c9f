-- Whoever has a PayTag, by its handle. A closed PayTag is nobody's.
create or replace function customers.payee(p_handle text) returns table (customer_id uuid, is_suspended boolean, tag json, customer json)
language sql stable as $$
  select c.id, t.status = 'SUSPENDED',
         json_build_object('id', t.id, 'handle', t.handle, 'subjectId', t.subject_id, 'createdByAppId', t.created_by_app_id,
           'releasedAt', t.released_at, 'routingMac', encode(t.routing_mac, 'hex')),
         json_build_object('id', c.id, 'tagId', c.tag_id, 'routingMac', encode(c.routing_mac, 'hex'))
    from tags.tag t join customers.customer c on c.tag_id = t.id
   where t.handle = p_handle and t.released_at is null and t.status <> 'CLOSED'
$$;
