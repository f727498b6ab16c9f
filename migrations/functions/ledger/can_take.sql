-- Whether an account can take in an amount. A strict one holds 9,999,999,999,999.99 at most, the largest amount that the wire carries
-- exactly; what a deferred one of our own holds is only known later, and has no bound.
create or replace function ledger.can_take(a ledger.account, p_amount bigint) returns boolean language sql immutable as $$
  select a.lock_mode = 'deferred' or a.posted + p_amount <= 999999999999999
$$;
