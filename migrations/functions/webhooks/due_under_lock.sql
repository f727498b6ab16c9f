-- When an endpoint that takes nothing now is due, asked again under a lock: who makes it take deliveries waits, and finds what we wrote.
create or replace function webhooks.due_under_lock(p_receiver uuid) returns timestamptz language plpgsql as $$
declare
  deliverable boolean;
begin
  perform from outbox.receiver r where r.id = p_receiver for share;
  select r.url is not null and not exists (
           select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
    into deliverable from outbox.receiver r where r.id = p_receiver;
  return case when deliverable then date_trunc('milliseconds', now()) end;
end $$;
