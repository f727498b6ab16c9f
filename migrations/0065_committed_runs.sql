-- Servers from 0062 on work with it.
-- Which run under an Idempotency-Key has committed something: by the run itself, so that a run of a server from before, which
-- writes nothing here, is never taken for one that has.
ALTER TABLE "idempotency"."request" ADD COLUMN "committed_run" uuid;
--> statement-breakpoint
-- The last statement of each transaction of a run. A run that has lost its key to another commits nothing any more; 40001 is
-- what a request is answered 503 for, to be sent again.
create function idempotency.commit_run(run_scope bytea, run uuid) returns void language plpgsql as $$
begin
  update idempotency.request set committed_run = run where scope = run_scope and run_id = run;
  if not found then
    raise exception 'another run has this Idempotency-Key' using errcode = '40001';
  end if;
end $$;
