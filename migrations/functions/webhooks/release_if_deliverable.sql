-- To be called after a receiver's URL or pause has changed, with its row locked. When it can be sent to, its held
-- deliveries become due: no more than 500 here, because the caller waits for this transaction; the workers release the
-- rest. When it cannot, no delivery changes: a claim looks at the receiver itself.
create or replace function webhooks.release_if_deliverable(p_receiver uuid) returns void language plpgsql as $$
begin
  if exists (select from outbox.receiver r where r.id = p_receiver and r.url is not null and not exists (
               select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)) then
    insert into webhooks.release (receiver_id) values (p_receiver) on conflict do nothing;
    perform webhooks.release_held(p_receiver, 500);
  else
    delete from webhooks.release where receiver_id = p_receiver;
  end if;
end $$;
