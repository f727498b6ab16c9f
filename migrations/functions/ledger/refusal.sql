-- Why a posting is refused, or null when it is not. The caller has locked every row that this reads.
create or replace function ledger.refusal(p jsonb, o ledger.transaction, h ledger.hold, p_now timestamptz) returns text language sql stable as $$
  select coalesce(
    case
      when p ? 'predecidedRefusal' then p ->> 'predecidedRefusal'
      when p ? 'hold' and h.id is null then 'HOLD_NOT_FOUND'
      when h.state <> 'OPEN' then 'HOLD_NOT_OPEN'
      when h.expires_at <= p_now then 'HOLD_EXPIRED'
      when p ? 'reverses' and (coalesce(o.status, 'Failed') not in ('Successful', 'Pending') or o.refunded > 0)
        then 'TRANSACTION_NOT_REVERSIBLE'
      when p ? 'original' and not p ? 'reverses' and coalesce(o.status, 'Failed') not in ('Successful', 'Reversed')
        then 'TRANSACTION_NOT_REFUNDABLE'
      when o.refunded + (p ->> 'amount')::bigint > o.amount then 'REFUND_EXCEEDS'
      when p ? 'suspenseAccount' and not p ? 'arrived' and exists (
             select from ledger.account a where a.id = (p ->> 'destination')::bigint and a.closed_at is not null)
        then 'WALLET_REVOKED'
    end,
    (select case
        when count(a.id) < greatest(count(*), 1) then 'ACCOUNT_NOT_FOUND'
        when bool_or(a.currency <> p ->> 'currency') then 'CURRENCY_MISMATCH'
        when h.id is not null and not bool_or(a.id = h.account_id and l.amount < 0) then 'HOLD_NOT_FOUND'
        when bool_or(a.status = 'Blocked') then 'WALLET_BLOCKED'
        when bool_or(a.status = 'PND' and l.amount < 0) then 'WALLET_PND'
        when bool_or(a.status = 'PNC' and l.amount > 0) then 'WALLET_PNC'
        when bool_or(a.id = h.account_id and h.amount + l.amount < 0) then 'HOLD_EXCEEDED'
        when bool_or(l.amount < 0 and a.floor is not null and a.id is distinct from h.account_id
                     and a.posted - a.suspended - a.liens + l.amount < a.floor) then 'INSUFFICIENT_FUNDS'
        when bool_or(a.lock_mode = 'strict' and a.posted + l.amount > ledger.balance_max()) then 'BALANCE_EXCEEDED'
        when h.id is null and bool_or(a.id = (p ->> 'limitAccount')::bigint
                     and coalesce(ledger.spent_on(s.today, ledger.business_day(p_now)), 0) - l.amount
                         > coalesce(a.daily_limit, (p ->> 'defaultDailyLimit')::bigint)) then 'LIMIT_EXCEEDED'
      end
      from jsonb_to_recordset(p -> 'legs') l(account bigint, amount bigint)
      left join lateral (select * from ledger.account x where x.id = l.account offset 0) a on true
      left join lateral (select x as today from ledger.spending x
                          where x.holder_id = a.holder_id and a.id = (p ->> 'limitAccount')::bigint offset 0) s on true))
$$;
