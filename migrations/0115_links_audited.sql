-- No server from before works with it: only these functions link a bank account and write what a provider assigned.
-- Where payouts go and whose an account number is changes by functions that write it into the audit log.

create function bank_accounts.link(p_customer uuid, p_partner uuid, p_bank_code text, p_bank_name text, p_index bytea,
  p_number_sealed bytea, p_name_sealed bytea, p_linked_at timestamptz, p_request text)
returns timestamptz language plpgsql as $$
declare
  v_linked_at timestamptz;
begin
  insert into bank_accounts.linked_account as l (customer_id, partner_id, bank_code, bank_name, account_number_sealed, account_index,
      account_name_sealed, linked_at)
    values (p_customer, p_partner, p_bank_code, p_bank_name, p_number_sealed, p_index, p_name_sealed, p_linked_at)
    on conflict (customer_id, partner_id) do update set bank_code = excluded.bank_code, bank_name = excluded.bank_name,
      account_number_sealed = excluded.account_number_sealed, account_index = excluded.account_index,
      account_name_sealed = excluded.account_name_sealed,
      linked_at = case when l.account_index = excluded.account_index then l.linked_at else excluded.linked_at end
    returning l.linked_at into v_linked_at;
  insert into audit.entry (actor, action, target, after, request_id)
    values ('customer:' || p_customer, 'bank_account.link', p_customer::text,
      jsonb_build_object('partnerId', p_partner, 'account', encode(p_index, 'hex')), p_request);
  return v_linked_at;
end $$;
--> statement-breakpoint
create function inbound_accounts.assign(p_wallet text, p_provider text, p_number_sealed bytea, p_index bytea, p_name_sealed bytea,
  p_bank_name text, p_bank_code text, p_now timestamptz, p_request text)
returns uuid language plpgsql as $$
declare
  v_account inbound_accounts.account;
begin
  update inbound_accounts.account set account_number_sealed = p_number_sealed, account_index = p_index,
      account_name_sealed = p_name_sealed, bank_name = p_bank_name, bank_code = p_bank_code, assigned_at = p_now, leased_until = p_now
    where wallet = p_wallet and provider = p_provider and assigned_at is null
      and not exists (select from inbound_accounts.account o where o.account_index = p_index and o.wallet <> p_wallet)
    returning * into v_account;
  if v_account.id is null then return null; end if;
  insert into audit.entry (actor, action, target, after, request_id)
    values ('provider:' || p_provider, 'account_number.assign', p_wallet,
      jsonb_build_object('provider', p_provider, 'partnerId', v_account.partner_id, 'account', encode(p_index, 'hex')), p_request);
  return v_account.id;
end $$;
