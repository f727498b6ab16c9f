-- The amount that an event of a movement says: as the transaction says it over REST (`toldCharges` of
-- src/modules/wallets/wallet-transaction.ts). A reversal brings back charges too, and says all of it.
create or replace function ledger.event_amount(e ledger.entry, t ledger.transaction) returns bigint language sql immutable as $$
  select case when t.type = 'REVERSAL' then abs(e.amount) else t.amount end
$$;
