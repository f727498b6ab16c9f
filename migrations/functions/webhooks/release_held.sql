-- Makes up to `p_limit` held deliveries of a receiver due, the oldest first, and returns how many. Nobody else releases
-- its deliveries at the same time, and nobody pauses it meanwhile: both need the row of `release`.
create or replace function webhooks.release_held(p_receiver uuid, p_limit int) returns int language plpgsql as $$
declare
  released int;
begin
  perform from webhooks.release where receiver_id = p_receiver for update;
  if not found then
    return 0;
  end if;
  if exists (select from outbox.receiver r where r.id = p_receiver and r.deleted_at is not null) then
    return webhooks.end_deliveries(p_receiver, p_limit);
  end if;
  update webhooks.delivery d set due_at = date_trunc('milliseconds', now())
    from (select k.id from webhooks.delivery k
           where k.receiver_id = p_receiver and k.status = 'PENDING' and k.due_at is null
           order by k.receiver_id, k.id limit p_limit) held
   where d.id = held.id;
  get diagnostics released = row_count;
  if released < p_limit then
    delete from webhooks.release where receiver_id = p_receiver;
  end if;
  return released;
end $$;
