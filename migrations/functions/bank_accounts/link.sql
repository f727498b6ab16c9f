-- Links a customer's bank account at a partner, in the place of another, and audits it: the server can do neither without the other.
-- Answers since when it is linked; the same account keeps its time.
create or replace function bank_accounts.link(p_customer uuid, p_partner uuid, p_bank_code text, p_bank_name text, p_index bytea,
  p_number_sealed bytea, p_name_sealed bytea, p_linked_at timestamptz, p_request text)
returns timestamptz language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
