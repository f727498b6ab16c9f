-- Days, limits and bounds that postings and holds share.

-- The day by which daily limits count.
create function ledger.business_day(p_at timestamptz) returns date language sql immutable as $$
  select (p_at at time zone 'Africa/Lagos')::date
$$;

-- What an account has spent on a day.
create function ledger.spent_on(a ledger.account, p_day date) returns bigint language sql immutable as $$
  select case when a.spent_day = p_day then a.spent else 0 end
$$;

-- The largest balance in minor units: 9,999,999,999,999.99, the largest amount that the wire carries exactly.
create function ledger.balance_max() returns bigint language sql immutable as $$ select 999999999999999 $$;
