-- Ends up to `p_limit` pending deliveries of an endpoint that was deleted, and answers how many. What is being sent ends as it does.
--
-- Locks the deliveries, by id, and skips what another session has locked. The caller has locked the endpoint's row of `release`.
create or replace function webhooks.end_deliveries(p_receiver uuid, p_limit int) returns int language plpgsql as $$
declare
  v_ended int;
begin
  update webhooks.delivery d
     set status = 'FAILED', last_error = 'endpoint deleted', updated_at = now(),
         due_at = coalesce(nullif(d.due_at, 'infinity'), date_trunc('milliseconds', now()))
    from (select k.id from webhooks.delivery k
           where k.receiver_id = p_receiver and k.status = 'PENDING' and (k.leased_until is null or k.leased_until <= now())
           order by k.id limit p_limit for update skip locked) waiting
   where d.id = waiting.id;
  get diagnostics v_ended = row_count;
  -- For two minutes transactions that saw the endpoint may still write deliveries to it; after that the workers need not come again.
  if v_ended = 0 then
    delete from webhooks.release l using outbox.receiver r
     where l.receiver_id = p_receiver and r.id = p_receiver and r.deleted_at < now() - interval '2 minutes'
       and not exists (select from webhooks.delivery k where k.receiver_id = p_receiver and k.status = 'PENDING');
  end if;
  return v_ended;
end $$;
