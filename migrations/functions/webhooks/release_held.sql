-- Makes up to `p_limit` held deliveries of an endpoint due, the oldest first, and answers how many; of an endpoint that was deleted it
-- ends them instead. Answers 0 when nothing is to be released.
--
-- Locks the endpoint's row of `release`: so no other session releases its deliveries at the same time, and none pauses it.
create or replace function webhooks.release_held(p_receiver uuid, p_limit int) returns int language plpgsql as $$
declare
  v_released int;
begin
  perform from webhooks.release where receiver_id = p_receiver for update;
  if not found then return 0; end if;
  if exists (select from outbox.receiver r where r.id = p_receiver and r.deleted_at is not null) then
    return webhooks.end_deliveries(p_receiver, p_limit);
  end if;
  update webhooks.delivery d set due_at = date_trunc('milliseconds', now())
    from (select k.id from webhooks.delivery k
           where k.receiver_id = p_receiver and k.status = 'PENDING' and k.due_at is null
           order by k.receiver_id, k.id limit p_limit) held
   where d.id = held.id;
  get diagnostics v_released = row_count;
  -- The last of them: the workers need not come again.
  if v_released < p_limit then delete from webhooks.release where receiver_id = p_receiver; end if;
  return v_released;
end $$;
