-- What has been spent on a day; 0 where nothing was ever spent.
create or replace function ledger.spent_on(s ledger.spending, p_day date) returns bigint language sql immutable as $$
  select case when s.day = p_day then s.spent else 0 end
$$;
