-- Notes every delivery that fails, in the transaction in which it does, so that it can be replayed once its endpoint is well. Not what
-- reports on deliveries itself; and not what ended because its endpoint was deleted or because it had waited too long.
create or replace function webhooks.note_failure() returns trigger language plpgsql as $$
begin
  insert into webhooks.failure (delivery_id, receiver_id)
  select new.id, new.receiver_id from outbox.event e
   where e.id = new.event_id
     and e.event not in ('webhook.test', 'endpoint.paused', 'endpoint.recovered', 'delivery.failed');
  return null;
end $$;

create or replace trigger note_failure after update of status on webhooks.delivery for each row
  when (old.status = 'PENDING' and new.status = 'FAILED'
    and (new.last_error is null or (new.last_error not in ('endpoint deleted', 'waited too long'))))
  execute function webhooks.note_failure();
