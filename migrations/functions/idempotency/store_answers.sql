-- Stores the answers of runs under their keys, many at a time, but for those whose key another run has taken over. Locks the keys.
create or replace function idempotency.store_answers(p jsonb) returns table (ordinal int) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
  update idempotency.request r
     set status_code = a."statusCode", content_type = a."contentType", answer_sealed = decode(a."answerSealed", 'base64')
    from jsonb_to_recordset(p) as a (scope text, "runId" uuid, "statusCode" smallint, "contentType" text, "answerSealed" text)
   where r.scope = decode(a.scope, 'hex') and r.run_id = a."runId";
  return query select generate_series(1, jsonb_array_length(p));
end $$;
