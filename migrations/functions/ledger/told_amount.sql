-- As `toldCharges` of src/modules/wallets/wallet-transaction.ts: what is said of a transaction to the partner whose wallet it moved.
create or replace function ledger.told_amount(p_type text, p_amount bigint, p_effect bigint) returns bigint language sql immutable as $$
  select case when p_type = 'REVERSAL' then abs(p_effect) else p_amount end
$$;
