-- Why the status of an account refuses a movement of it: Blocked refuses every one, PND (post no debit) what leaves, PNC (post no
-- credit) what arrives. Null when it refuses none.
create or replace function ledger.status_refusal(a ledger.account, p_amount bigint) returns text language sql immutable as $$
  select case
    when a.status = 'Blocked' then 'WALLET_BLOCKED'
    when a.status = 'PND' and p_amount < 0 then 'WALLET_PND'
    when a.status = 'PNC' and p_amount > 0 then 'WALLET_PNC'
  end
$$;
