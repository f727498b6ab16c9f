-- Writes the account number that a provider has assigned to a wallet, once, and audits it: the server can do neither without the other.
-- Answers the account's id; null when the wallet has a number already, or another wallet has this one.
create or replace function inbound_accounts.assign(p_wallet text, p_provider text, p_number_sealed bytea, p_index bytea,
  p_name_sealed bytea, p_bank_name text, p_bank_code text, p_now timestamptz, p_request text)
returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_account inbound_accounts.account;
begin
  update inbound_accounts.account set account_number_sealed = p_number_sealed, account_index = p_index,
      account_name_sealed = p_name_sealed, bank_name = p_bank_name, bank_code = p_bank_code, assigned_at = p_now, leased_until = p_now
    where wallet = p_wallet and provider = p_provider and assigned_at is null
      and not exists (select from inbound_accounts.account o where o.account_index = p_index and o.wallet <> p_wallet)
    returning * into v_account;
  if v_account.id is null then return null; end if; -- assigned already
  insert into audit.entry (actor, action, target, after, request_id)
    values ('provider:' || p_provider, 'account_number.assign', p_wallet,
      jsonb_build_object('provider', p_provider, 'partnerId', v_account.partner_id, 'account', encode(p_index, 'hex')), p_request);
  return v_account.id;
end $$;
