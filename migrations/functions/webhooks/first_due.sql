-- When a new delivery to a receiver is due: now, or null while its receiver is paused or has no URL. Null is returned
-- only with the receiver's row locked: whoever makes it deliverable waits for this transaction, and so finds the
-- delivery. The time is truncated to the column's millisecond, not rounded, so that it is never in the future.
create or replace function webhooks.first_due(p_receiver uuid) returns timestamptz language plpgsql as $$
declare
  deliverable boolean;
begin
  select r.url is not null and not exists (
           select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
    into deliverable from outbox.receiver r where r.id = p_receiver;
  if not deliverable then
    perform from outbox.receiver r where r.id = p_receiver for share;
    select r.url is not null and not exists (
             select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
      into deliverable from outbox.receiver r where r.id = p_receiver;
  end if;
  return case when deliverable then date_trunc('milliseconds', now()) end;
end $$;
