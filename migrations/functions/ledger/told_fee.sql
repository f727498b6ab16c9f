-- p_taken: the charge in the wallet's own entry. p_is_own: the transaction stands in the books of the wallet's partner.
create or replace function ledger.told_fee(p_type text, p_fee bigint, p_stamp_duty bigint, p_is_own boolean, p_effect bigint, p_taken bigint)
returns bigint language sql immutable as $$
  select case
    when p_type in ('REVERSAL', 'PARTNER_WALLET_DEBIT') or p_type in ('TRANSFER', 'SWITCH') and p_effect > 0 then 0
    when not p_is_own then case when p_effect < 0 then p_taken else 0 end
    when p_type = 'PAYOUT' then p_fee + p_stamp_duty
    else p_fee end
$$;
