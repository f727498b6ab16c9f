import type { Room, SqlInvariant } from '#lib/room.ts';

/** What must be true of customers who were erased, at any moment. */
const invariants: readonly SqlInvariant[] = [
  {
    name: 'erasures_are_audited',
    promise: 'a customer was erased exactly when the audit log says so',
    offenders: () => `
      select c.id as customer_id, c.erased_at, x.at as audited_at from customers.customer c
        full join (select target, min(at) as at from audit.entry where action = 'customer.erase' group by target) x
          on x.target = c.id::text
        where (c.erased_at is null) <> (x.at is null)`,
  },
  {
    name: 'erased_customers_are_gone',
    promise: 'an erased customer has no live wallet, and nothing by which they are found or log in',
    offenders: () => `
      select c.id as customer_id, w.reference as wallet from customers.customer c
        left join wallets.partner_wallet w on w.customer_id = c.id and w.revoked_at is null
        where c.erased_at is not null and (w.id is not null
          or num_nonnulls(c.bvn_index, c.phone_index, c.email_index, c.password_hash) > 0)`,
  },
];

export const room: Room = { invariants: () => invariants };
