-- The last statement of each transaction of a run. A run that has lost its key to another commits nothing any more; 40001 is
-- what a request is answered 503 for, to be sent again.
create or replace function idempotency.commit_run(run_scope bytea, run uuid) returns void language plpgsql as $$
begin
  update idempotency.request set committed_run = run where scope = run_scope and run_id = run;
  if not found then
    raise exception 'another run has this Idempotency-Key' using errcode = '40001';
  end if;
end $$;
