-- The ids that stand at a path of a JSON document, e.g. $[*].legs[*].account of postings.
create or replace function ledger.ids_in(p_document jsonb, p_path jsonpath) returns bigint[] language sql immutable as $$
  select translate(jsonb_path_query_array(p_document, p_path)::text, '[]', '{}')::bigint[]
$$;
