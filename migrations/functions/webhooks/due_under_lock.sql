-- When a new delivery to an endpoint is due that did not take any a moment ago: now, or null while it still takes none, so that the
-- delivery is held.
--
-- Locks the endpoint's row for share until the transaction ends. A transaction that makes the endpoint deliverable waits for that, and
-- so finds the held delivery and releases it.
create or replace function webhooks.due_under_lock(p_receiver uuid) returns timestamptz language plpgsql as $$
declare
  v_is_deliverable boolean;
begin
  perform from outbox.receiver r where r.id = p_receiver for share;
  -- A statement of its own: it sees what was committed while the one above waited.
  select webhooks.is_deliverable(r) into v_is_deliverable from outbox.receiver r where r.id = p_receiver;
  -- Truncated to the column's millisecond, not rounded, so that it is never in the future.
  return case when v_is_deliverable then date_trunc('milliseconds', now()) end;
end $$;
