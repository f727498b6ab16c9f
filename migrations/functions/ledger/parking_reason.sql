-- Why money cannot reach an account now, so that it waits in suspense; null when it can. What has arrived from outside (`p_arrived`)
-- waits whatever the reason: we have it. A refund waits only for a wallet that takes nothing in for the moment.
create or replace function ledger.parking_reason(a ledger.account, p_amount bigint, p_currency text, p_arrived boolean) returns text
language sql immutable as $$
  select case
    when p_amount <= 0 or a.lock_mode <> 'strict' then null
    when a.closed_at is not null then case when p_arrived then 'WALLET_REVOKED' end
    when a.currency <> p_currency then case when p_arrived then 'CURRENCY_MISMATCH' end
    else coalesce(ledger.status_refusal(a, p_amount), case when p_arrived and not ledger.can_take(a, p_amount) then 'BALANCE_EXCEEDED' end)
  end
$$;
