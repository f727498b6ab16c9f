-- Counts values that a data key has sealed: a number that only rises.
create or replace function data_keys.count_sealed(p_id int, p_more bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update data_keys.data_key set sealed = sealed + p_more where id = p_id and p_more > 0
$$;
