-- The wallet into which money sent to a customer's PayTag is paid, with what its MAC covers.
create or replace function wallets.primary_wallet(p_customer uuid) returns table (wallet json) language sql stable as $$
  select json_build_object('reference', w.reference, 'partnerId', w.partner_id, 'customerId', w.customer_id,
           'kycProfileId', w.kyc_profile_id, 'accountId', w.account_id, 'nuban', w.nuban, 'isPrimary', w.is_primary,
           'routingMac', encode(w.routing_mac, 'hex'))
    from wallets.partner_wallet w
   where w.customer_id = p_customer and w.is_primary and w.revoked_at is null
$$;
