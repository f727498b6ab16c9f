-- The largest balance in minor units: 9,999,999,999,999.99, the largest amount that the wire carries exactly.
create or replace function ledger.balance_max() returns bigint language sql immutable as $$ select 999999999999999 $$;
