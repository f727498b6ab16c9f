-- Releases what is held for an endpoint whose URL or pause has changed, if it takes deliveries now. No more than 500 of them become due
-- here, because the caller waits for this transaction; the workers release the rest, as long as there is a row in `release`. If it takes
-- none, no delivery changes: a claim looks at the endpoint itself.
--
-- The caller has locked the endpoint's row. Locks the row of `release`.
create or replace function webhooks.release_if_deliverable(p_receiver uuid) returns void language plpgsql as $$
begin
  if (select webhooks.is_deliverable(r) from outbox.receiver r where r.id = p_receiver) then
    insert into webhooks.release (receiver_id) values (p_receiver) on conflict do nothing;
    perform webhooks.release_held(p_receiver, 500);
  else
    delete from webhooks.release where receiver_id = p_receiver;
  end if;
end $$;
