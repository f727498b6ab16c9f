-- The fee that an event of a movement says to the partner of the wallet, as the transaction says it over REST (`toldCharges` of
-- src/modules/wallets/wallet-transaction.ts).
create or replace function ledger.event_fee(a ledger.account, e ledger.entry,
  t ledger.transaction) returns bigint
language sql immutable as $$
  select case
    -- The wallet paid no fee.
    when t.type in ('REVERSAL', 'PARTNER_WALLET_DEBIT') or t.type in ('TRANSFER', 'SWITCH') and e.amount > 0 then 0
    -- Of a transaction in another partner's books only what this wallet paid is said.
    when coalesce(t.partner_id <> a.partner_id, true) then case when e.amount < 0 then e.fee else 0 end
    when t.type = 'PAYOUT' then t.fee + t.stamp_duty
    else t.fee
  end
$$;
