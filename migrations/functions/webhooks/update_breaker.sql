-- Records in an endpoint's circuit breaker how attempts that ended together went. Answers OPENED or CLOSED, or null when
-- neither happened.
--
-- Failures add up. At `p_trip_after` failures in a row the breaker opens for `p_cool_ms`, doubled with each opening up
-- to `p_cool_max_ms`, or for `p_asked_ms` when the receiver asked for longer. While it is open and no probe is under
-- way, a failure belongs to an attempt that was sent before it opened, and changes nothing. A success closes it. The
-- number of openings is forgotten with the next success after that, or once it has been closed for `p_cool_max_ms`: a
-- receiver that answers its probe and then fails again is left alone for longer each time.
--
-- Locks the endpoint's row of `breaker`, which it writes.
create or replace function webhooks.update_breaker(p_receiver uuid, p_delivered boolean, p_attempts int, p_asked_ms int,
  p_trip_after int, p_cool_ms int, p_cool_max_ms int, p_now timestamptz)
returns text language plpgsql as $$
begin
  if p_delivered then
    update webhooks.breaker set failures = 0, failing_since = p_now, open_until = null, probing = false
     where receiver_id = p_receiver and open_until is not null;
    if found then return 'CLOSED'; end if;
    -- It was not open: without a row nothing has failed.
    delete from webhooks.breaker where receiver_id = p_receiver;
    return null;
  end if;
  -- After a long time without failures the breaker opens as briefly as the first time.
  insert into webhooks.breaker as b (receiver_id, failures, failing_since, last_failed_at)
  values (p_receiver, p_attempts, p_now, p_now)
  on conflict (receiver_id) do update
     set failures = b.failures + p_attempts,
         failing_since = case when b.failures = 0 then p_now else b.failing_since end,
         openings = case when b.failures = 0 and b.failing_since < p_now - p_cool_max_ms * interval '1 millisecond'
                         then 0 else b.openings end,
         last_failed_at = p_now;
  -- It opens at the threshold, and again when its probe failed.
  update webhooks.breaker
     set openings = openings + 1, probing = false,
         open_until = p_now + interval '1 millisecond'
           * greatest(p_asked_ms, least(p_cool_max_ms, p_cool_ms * power(2, least(openings, 20))))
   where receiver_id = p_receiver and failures >= p_trip_after and (open_until is null or probing);
  return case when found then 'OPENED' end;
end $$;
