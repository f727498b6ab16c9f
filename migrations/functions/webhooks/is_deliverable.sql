-- Whether an endpoint takes deliveries now: it has a URL, and no pause of its owner, an operator or the system is in force.
create or replace function webhooks.is_deliverable(r outbox.receiver) returns boolean language sql stable as $$
  select r.url is not null and not exists (select from webhooks.pause p where p.receiver_id = r.id and p.resumed_at is null)
$$;
