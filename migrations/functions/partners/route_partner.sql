-- Changes where a partner's logins lead back to, with the MAC of that, which the database cannot make.
create or replace function partners.route_partner(p_id uuid, p_redirect_url text, p_mac bytea) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update partners.partner set redirect_url = p_redirect_url, routing_mac = p_mac where id = p_id
$$;
