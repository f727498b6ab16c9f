-- One at a time: when a delivery of a lane has ended, the next one of the lane is due, which a claim has parked behind it (due at
-- 'infinity').
--
-- Locks that next delivery. A function of its own, so that it sees what the claim wrote while the caller waited for its lock.
create or replace function webhooks.next_in_lane() returns trigger language plpgsql as $$
begin
  update webhooks.delivery d set due_at = date_trunc('milliseconds', clock_timestamp())
   where d.due_at = 'infinity' and d.status = 'PENDING' and d.id = (
     select n.id from webhooks.delivery n
      where n.receiver_id = new.receiver_id and n.lane = new.lane and n.status = 'PENDING' order by n.position limit 1);
  return null;
end $$;

create or replace trigger next_in_lane after update of status on webhooks.delivery for each row
  when (new.lane is not null and old.status = 'PENDING' and new.status <> 'PENDING')
  execute function webhooks.next_in_lane();
