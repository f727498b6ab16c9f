-- The day by which daily limits count, in Lagos.
create or replace function ledger.business_day(p_at timestamptz) returns date language sql immutable as $$
  select (p_at at time zone 'Africa/Lagos')::date
$$;
