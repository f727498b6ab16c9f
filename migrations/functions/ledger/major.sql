-- Minor units as a JSON number in major units, formatted as JavaScript does it.
create or replace function ledger.major(p_minor bigint) returns text language sql immutable strict as $$
  select trim_scale(p_minor / 100.0)::text
$$;
