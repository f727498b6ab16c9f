-- An endpoint that gets its URL takes what was held for it, in the transaction that gives it; one that loses it takes no more.
create or replace function webhooks.receiver_url_changed() returns trigger language plpgsql as $$
begin
  perform webhooks.release_if_deliverable(new.id);
  return null;
end $$;

create or replace trigger receiver_url_changed after update of url on outbox.receiver for each row
  when ((old.url is null) <> (new.url is null)) execute function webhooks.receiver_url_changed();
