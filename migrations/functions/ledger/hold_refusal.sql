-- Why a hold on an account is refused, or null when it is not: money is set aside as it would leave.
create or replace function ledger.hold_refusal(a ledger.account, p_amount bigint) returns text language sql immutable as $$
  select coalesce(ledger.status_refusal(a, -p_amount), case when not ledger.can_pay(a, p_amount) then 'INSUFFICIENT_FUNDS' end)
$$;
