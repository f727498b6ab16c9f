-- Wallets that were revoked before accounts could be closed.
update ledger.account a set closed_at = w.revoked_at
  from wallets.partner_wallet w where w.account_id = a.id and w.revoked_at is not null and a.status = 'Blocked';
--> statement-breakpoint
-- Why a posting is refused, or null when it is not. Everything it looks at is locked by the caller.
create or replace function ledger.refusal(p jsonb, o ledger.transaction, h ledger.hold, p_now timestamptz)
returns text language sql stable as $$
  select coalesce(
    case
      when p ? 'refuse' then p ->> 'refuse'
      when p ? 'hold' and h.id is null then 'HOLD_NOT_FOUND'
      when h.state <> 'OPEN' then 'HOLD_NOT_OPEN'
      when h.expires_at <= p_now then 'HOLD_EXPIRED'
      when p ? 'original' and coalesce(o.status, 'Failed') not in ('Successful', 'Reversed') then 'TRANSACTION_NOT_REFUNDABLE'
      when o.refunded + (p ->> 'amount')::bigint > o.amount then 'REFUND_EXCEEDS'
      when p ? 'park' and exists (select from ledger.account a
                                   where a.id = (p ->> 'destination')::bigint and a.closed_at is not null) then 'WALLET_REVOKED'
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
        when h.id is null and bool_or(a.id = (p ->> 'spends')::bigint
                     and ledger.spent_on(a, ledger.business_day(p_now)) - l.amount
                         > coalesce(a.daily_limit, (p ->> 'dailyLimit')::bigint)) then 'LIMIT_EXCEEDED'
      end
      from jsonb_to_recordset(p -> 'legs') l(account bigint, amount bigint)
      left join ledger.account a on a.id = l.account))
$$;
--> statement-breakpoint
-- Brings a parked refund to its wallet, once the wallet takes it and has room for it. Answers the transaction's status, which is Pending too
-- while somebody else is at it: whoever holds the account's lock can settle its refunds and waits for nobody.
create or replace function ledger.settle_parked(p_transaction bigint, p_park bigint, p_now timestamptz default null)
returns text language plpgsql as $$
declare
  t ledger.transaction;
  a ledger.account;
  v_now timestamptz;
begin
  select * into t from ledger.transaction where id = p_transaction for no key update skip locked;
  if t.id is null then return 'Pending'; end if;
  if t.status <> 'Pending' then return t.status; end if;
  select * into a from ledger.account where id = t.destination_id for no key update;
  if a.status in ('Blocked', 'PNC') or a.posted + t.amount > ledger.balance_max() then return t.status; end if;
  v_now := coalesce(p_now, clock_timestamp());
  update ledger.transaction set status = 'Successful', completed_at = v_now where id = t.id returning * into t;
  perform ledger.write_legs(t, jsonb_build_array(
      jsonb_build_object('account', p_park, 'amount', -t.amount),
      jsonb_build_object('account', t.destination_id, 'amount', t.amount)),
    (select count(*)::int + 1 from ledger.entry e where e.transaction_id = t.id), v_now);
  return t.status;
end $$;
