-- Deletes all deliveries of up to `p_limit` events that were purged before a moment: of none that can still be sent. Answers how many
-- deliveries that were.
--
-- Locks the events, and skips what another session has locked.
create or replace function webhooks.forget_deliveries(p_before timestamptz, p_limit int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_events uuid[];
  v_gone int;
begin
  -- While an event is locked, no delivery of it is made or purged.
  select array_agg(e.id) into v_events from (
    select e.id from outbox.event e
     where e.id = any (array(
             select k.event_id from webhooks.delivery k where k.purged_at < p_before order by k.purged_at limit p_limit))
       and e.body is null
       for update skip locked) e;
  delete from webhooks.delivery d
   where d.event_id = any (v_events)
     and not exists (select from webhooks.delivery s where s.event_id = d.event_id and s.purged_at is null);
  get diagnostics v_gone = row_count;
  return v_gone;
end $$;
