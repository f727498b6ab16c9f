-- Changes where an endpoint's events go and which it wants, with the MAC of both, which the database cannot make.
create or replace function outbox.route_receiver(p_id uuid, p_url text, p_events text[], p_mac bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  -- By the minute after, every transaction has ended that did not see which events it wants now.
  update outbox.receiver
     set url = p_url, events = p_events, routing_mac = p_mac, updated_at = now(),
         events_from = case when events is distinct from p_events then now() + interval '1 minute' else events_from end
   where id = p_id
$$;
