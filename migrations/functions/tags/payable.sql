-- The owner of a tag and their application, by the tag's handle, and whether any of these keeps it from paying and being paid; tag and
-- owner with what their MACs cover. A closed tag has none.
create or replace function tags.payable(p_handle text)
returns table (handle text, namespace text, application_id uuid, application_name text, external_id text, is_suspended boolean, tag json,
  subject json)
language sql stable as $$
  select t.handle, a.namespace, a.id, a.name, s.external_id, t.status = 'SUSPENDED' or a.status <> 'ACTIVE',
         json_build_object('id', t.id, 'handle', t.handle, 'subjectId', t.subject_id, 'createdByAppId', t.created_by_app_id,
           'releasedAt', t.released_at, 'routingMac', encode(t.routing_mac, 'hex')),
         json_build_object('id', s.id, 'applicationId', s.application_id, 'externalId', s.external_id,
           'routingMac', encode(s.routing_mac, 'hex'))
    from tags.tag t
    join applications.subject s on s.id = t.subject_id
    join applications.application a on a.id = s.application_id
   where t.handle = p_handle and t.released_at is null and t.status <> 'CLOSED'
$$;
