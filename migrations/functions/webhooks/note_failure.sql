-- Every delivery that has failed is noted in the transaction that says so, until it goes out again or nobody is to send it again.
-- Not what tells of deliveries itself, of whose failure nobody is told; and not what ended because its endpoint was deleted.
create or replace function webhooks.note_failure() returns trigger language plpgsql as $$
begin
  insert into webhooks.failure (delivery_id, receiver_id)
  select new.id, new.receiver_id from outbox.event e
   where e.id = new.event_id
     and e.event not in ('webhook.test', 'endpoint.paused', 'endpoint.recovered', 'delivery.failed');
  return null;
end $$;

create or replace trigger note_failure after update of status on webhooks.delivery for each row when (old.status = 'PENDING'
  and new.status = 'FAILED' and (new.last_error is null or (new.last_error not in ('endpoint deleted', 'waited too long'))))
  execute function webhooks.note_failure();
