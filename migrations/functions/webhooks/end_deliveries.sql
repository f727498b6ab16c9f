-- Ends up to `p_limit` pending deliveries of an endpoint that was deleted, and returns how many. What is being sent ends as it
-- does. Transactions that saw the endpoint may still write it some for a while; after that nobody need look any more.
create or replace function webhooks.end_deliveries(p_receiver uuid, p_limit int) returns int language plpgsql as $$
declare
  ended int;
begin
  update webhooks.delivery d
     set status = 'FAILED', last_error = 'endpoint deleted', updated_at = now(),
         due_at = coalesce(nullif(d.due_at, 'infinity'), date_trunc('milliseconds', now()))
    from (select k.id from webhooks.delivery k
           where k.receiver_id = p_receiver and k.status = 'PENDING' and (k.leased_until is null or k.leased_until <= now())
           order by k.id limit p_limit for update skip locked) waiting
   where d.id = waiting.id;
  get diagnostics ended = row_count;
  if ended = 0 then
    delete from webhooks.release l using outbox.receiver r
     where l.receiver_id = p_receiver and r.id = p_receiver and r.deleted_at < now() - interval '2 minutes'
       and not exists (select from webhooks.delivery k where k.receiver_id = p_receiver and k.status = 'PENDING');
  end if;
  return ended;
end $$;
