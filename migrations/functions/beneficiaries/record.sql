-- Records payments of customers, each made by its payer at a partner, to a payee, at a time: when each was paid last.
--
-- Locks the beneficiaries, by key.
create or replace function beneficiaries.record(p_partners uuid[], p_customers uuid[], p_payees uuid[], p_at timestamptz[]) returns void
language sql as $$
  insert into beneficiaries.beneficiary as b (partner_id, customer_id, payee_id, last_paid_at)
    select partner, customer, payee, max(at)
      from unnest(p_partners, p_customers, p_payees, p_at) paid (partner, customer, payee, at)
     group by partner, customer, payee
     order by partner, customer, payee -- one order of locks
    on conflict (partner_id, customer_id, payee_id)
      do update set last_paid_at = greatest(b.last_paid_at, excluded.last_paid_at)
$$;
