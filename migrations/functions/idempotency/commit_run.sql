-- The last statement of each transaction of a run: marks that the run has committed something, so that no other run takes its key over.
-- A run that has lost its key commits nothing: it fails with 40001, for which the request is answered 503, to be sent again.
--
-- Locks the key's row until the commit.
create or replace function idempotency.commit_run(run_scope bytea, run uuid) returns void language plpgsql as $$
begin
  update idempotency.request set committed_run = run where scope = run_scope and run_id = run;
  if not found then
    raise exception 'another run has this Idempotency-Key' using errcode = '40001';
  end if;
end $$;
