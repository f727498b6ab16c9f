-- The customer who has a PayTag, by its handle, and the tag, with what their MACs cover. A closed PayTag has none.
create or replace function customers.payee(p_handle text) returns table (customer_id uuid, is_suspended boolean, tag json, customer json)
language sql stable as $$
  select c.id, t.status = 'SUSPENDED',
         json_build_object('id', t.id, 'handle', t.handle, 'subjectId', t.subject_id, 'createdByAppId', t.created_by_app_id,
           'releasedAt', t.released_at, 'routingMac', encode(t.routing_mac, 'hex')),
         -- Bytes and moments as their MAC has them.
         json_build_object('id', c.id, 'tagId', c.tag_id, 'bvnIndex', encode(c.bvn_index, 'hex'),
           'phoneIndex', encode(c.phone_index, 'hex'),
           'phoneProvenAt', to_char(c.phone_proven_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'emailIndex', encode(c.email_index, 'hex'),
           'emailProvenAt', to_char(c.email_proven_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'firstName', c.first_name, 'lastName', c.last_name, 'otherName', c.other_name,
           'isOtherNameConfirmed', c.is_other_name_confirmed, 'passwordHash', c.password_hash,
           'frozenAt', to_char(c.frozen_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'bvnHandedBackAt', to_char(c.bvn_handed_back_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'erasedAt', to_char(c.erased_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'routingMac', encode(c.routing_mac, 'hex'))
    from tags.tag t join customers.customer c on c.tag_id = t.id
   where t.handle = p_handle and t.released_at is null and t.status <> 'CLOSED'
$$;
