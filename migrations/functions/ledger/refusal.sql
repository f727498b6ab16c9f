-- Why a posting is refused, or null when it is not. Takes no lock: the caller has locked every row that this reads.
--
-- `p_original` is the transaction that it refunds or reverses, `p_hold` the hold that it captures; null where it names none.
-- A posting that breaks several rules is refused by the first of them in this order, which partners rely on.
create or replace function ledger.refusal(p_posting jsonb, p_original ledger.transaction, p_hold ledger.hold, p_now timestamptz)
returns text language sql stable as $$
  select coalesce(
    -- What it names: the hold, the original, a destination that is gone.
    case
      when p_posting ? 'predecidedRefusal' then p_posting ->> 'predecidedRefusal'
      when p_posting ? 'hold' and p_hold.id is null then 'HOLD_NOT_FOUND'
      when p_hold.state <> 'OPEN' then 'HOLD_NOT_OPEN'
      when p_hold.expires_at <= p_now then 'HOLD_EXPIRED'
      -- A reversal undoes a whole transaction, once, and none of which a part was refunded.
      when p_posting ? 'reverses'
          and (coalesce(p_original.status, 'Failed') not in ('Successful', 'Pending') or p_original.refunded > 0)
        then 'TRANSACTION_NOT_REVERSIBLE'
      when p_posting ? 'original' and not p_posting ? 'reverses'
          and coalesce(p_original.status, 'Failed') not in ('Successful', 'Reversed')
        then 'TRANSACTION_NOT_REFUNDABLE'
      when p_original.refunded + (p_posting ->> 'amount')::bigint > p_original.amount then 'REFUND_EXCEEDS'
      -- A refund has nowhere to wait for a wallet that never opens again. What has arrived from outside waits for the operator.
      when p_posting ? 'suspenseAccount' and not p_posting ? 'arrived' and exists (
             select from ledger.account a where a.id = (p_posting ->> 'destination')::bigint and a.closed_at is not null)
        then 'WALLET_REVOKED'
    end,
    -- Its legs, each against its account.
    (select case
        when count(a.id) < greatest(count(*), 1) then 'ACCOUNT_NOT_FOUND'
        when bool_or(a.currency <> p_posting ->> 'currency') then 'CURRENCY_MISMATCH'
        -- A hold is captured by what pays from its account.
        when p_hold.id is not null and not bool_or(a.id = p_hold.account_id and l.amount < 0) then 'HOLD_NOT_FOUND'
        when bool_or(ledger.status_refusal(a, l.amount) = 'WALLET_BLOCKED') then 'WALLET_BLOCKED'
        when bool_or(ledger.status_refusal(a, l.amount) = 'WALLET_PND') then 'WALLET_PND'
        when bool_or(ledger.status_refusal(a, l.amount) = 'WALLET_PNC') then 'WALLET_PNC'
        -- The hold's account pays out of the hold, however little else it has.
        when bool_or(a.id = p_hold.account_id and p_hold.amount + l.amount < 0) then 'HOLD_EXCEEDED'
        when bool_or(l.amount < 0 and a.id is distinct from p_hold.account_id and not ledger.can_pay(a, -l.amount))
          then 'INSUFFICIENT_FUNDS'
        when bool_or(not ledger.can_take(a, l.amount)) then 'BALANCE_EXCEEDED'
        -- A hold has counted towards the day's limit when it was placed.
        when p_hold.id is null and bool_or(a.id = (p_posting ->> 'limitAccount')::bigint
                     and coalesce(ledger.spent_on(s, ledger.business_day(p_now)), 0) - l.amount
                         > coalesce(a.daily_limit, (p_posting ->> 'defaultDailyLimit')::bigint)) then 'LIMIT_EXCEEDED'
      end
      from jsonb_to_recordset(p_posting -> 'legs') l (account bigint, amount bigint)
        left join ledger.account a on a.id = l.account
        left join ledger.spending s on s.holder_id = a.holder_id and a.id = (p_posting ->> 'limitAccount')::bigint))
$$;
