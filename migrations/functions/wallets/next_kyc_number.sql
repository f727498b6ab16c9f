-- A number for a KYC profile of this partner: the first one above the last we gave that no profile has, since partners also give numbers
-- of their own. A transaction that fails leaves its number to the next.
--
-- Locks the partner's row of `kyc_numbering` until the transaction ends.
create or replace function wallets.next_kyc_number(p_partner uuid) returns bigint language plpgsql as $$
declare
  v_number bigint;
begin
  insert into wallets.kyc_numbering (partner_id, last) values (p_partner, 0) on conflict do nothing;
  select last + 1 into v_number from wallets.kyc_numbering where partner_id = p_partner for update;
  -- A profile has the next number already: the first gap after it.
  if exists (select from wallets.kyc_profile where partner_id = p_partner and number = v_number) then
    select p.number + 1 into v_number from wallets.kyc_profile p
      where p.partner_id = p_partner and p.number >= v_number
        and not exists (select from wallets.kyc_profile q where q.partner_id = p_partner and q.number = p.number + 1)
      order by p.number limit 1;
  end if;
  update wallets.kyc_numbering set last = v_number where partner_id = p_partner;
  return v_number;
end
$$;
