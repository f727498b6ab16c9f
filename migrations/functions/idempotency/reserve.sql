-- Reserves keys for runs, many at a time, and says of each whether it is reserved: a new key, an expired one, one whose run died before it
-- committed anything, and sends the same body.
--
-- Locks new keys, in their order, by writing them; then those that are taken over, and skips what another session has locked. A key in
-- use is not locked. So a call that waits for one of its keys holds none that another call waits for in a circle.
create or replace function idempotency.reserve(p jsonb) returns table (ordinal int, reserved boolean) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
  v_runs uuid[];
  v_more uuid[];
begin
  with made as (
    insert into idempotency.request (scope, body_digest, run_id, locked_until, expires_at, request_id, method, route, caller)
    select decode(scope, 'hex'), decode("bodyDigest", 'hex'), "runId", "lockedUntil", "expiresAt", "requestId", method, route,
        caller
      from jsonb_to_recordset(p) as (scope text, "bodyDigest" text, "runId" uuid, "lockedUntil" timestamptz,
        "expiresAt" timestamptz, "requestId" text, method text, route text, caller text)
      order by scope
    on conflict (scope) do nothing
    returning run_id)
  select coalesce(array_agg(run_id), '{}') into v_runs from made;

  -- Keys that are there already: those that may be taken over.
  if cardinality(v_runs) < jsonb_array_length(p) then
    with asked as materialized (
      select distinct on (scope) decode(scope, 'hex') as scope, decode("bodyDigest", 'hex') as body_digest, "runId" as run_id,
          "lockedUntil" as locked_until, "expiresAt" as expires_at, "requestId" as request_id, now
        from jsonb_to_recordset(p) as (scope text, "bodyDigest" text, "runId" uuid, "lockedUntil" timestamptz,
          "expiresAt" timestamptz, "requestId" text, now timestamptz)
       where "runId" <> all (v_runs)),
    free as materialized (
      select a.* from asked a join idempotency.request r on r.scope = a.scope
       where r.expires_at < a.now or (r.status_code is null and r.locked_until < a.now and r.body_digest = a.body_digest
           and r.committed_run is distinct from r.run_id)
         -- Reserved by this run itself: the answer of the call was lost, and the call is repeated.
         or r.run_id = a.run_id
         for update of r skip locked),
    taken as (
      update idempotency.request r
         set body_digest = f.body_digest, run_id = f.run_id, locked_until = f.locked_until, expires_at = f.expires_at,
           request_id = f.request_id, committed_run = null, status_code = null, content_type = null, answer_sealed = null
        from free f where r.scope = f.scope
      returning r.run_id)
    select array_agg(run_id) into v_more from taken;
    v_runs := v_runs || v_more;
  end if;

  return query
    select place::int, (x ->> 'runId')::uuid = any (v_runs) from jsonb_array_elements(p) with ordinality asked (x, place);
end $$;
