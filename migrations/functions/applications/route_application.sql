-- Changes the secrets of an application and where its logins may lead back to, with the MAC of both, which the database cannot make. The
-- built-in application has neither.
create or replace function applications.route_application(p_id uuid, p_secret bytea, p_previous_secret bytea,
  p_previous_until timestamptz, p_generation int, p_return_urls text[], p_mac bytea)
returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update applications.application
     set secret_digest = p_secret, previous_secret_digest = p_previous_secret, previous_secret_until = p_previous_until,
         token_generation = p_generation, return_urls = p_return_urls, routing_mac = p_mac
   where id = p_id and not built_in
$$;
