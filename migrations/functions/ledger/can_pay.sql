-- Whether an account can pay an amount and stay at its floor or above it. What holds set aside and what liens keep is not there to be
-- spent. An account without a floor, which is one of our own, can pay any amount.
create or replace function ledger.can_pay(a ledger.account, p_amount bigint) returns boolean language sql immutable as $$
  select a.floor is null or a.posted - a.suspended - a.liens - p_amount >= a.floor
$$;
