-- When a new delivery to an endpoint is due: now, or null while the endpoint takes none, so that the delivery is held.
--
-- Locks nothing for an endpoint that takes deliveries, and the endpoint's row for share otherwise (webhooks.due_under_lock).
create or replace function webhooks.first_due(p_receiver uuid) returns timestamptz language plpgsql as $$
begin
  if (select webhooks.is_deliverable(r) from outbox.receiver r where r.id = p_receiver) then
    return date_trunc('milliseconds', now());
  end if;
  return webhooks.due_under_lock(p_receiver);
end $$;
