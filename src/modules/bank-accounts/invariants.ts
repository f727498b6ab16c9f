import type { SqlInvariant } from '#lib/invariant.ts';

/** What must be true of linked accounts at any moment. */
export const invariants: readonly SqlInvariant[] = [
  {
    name: 'linked_accounts_are_audited',
    promise: 'a customer’s payouts at a partner go to the account that they linked there last, by the audit log',
    offenders: () => `
      select l.customer_id, l.partner_id from bank_accounts.linked_account l
        where encode(l.account_index, 'hex') is distinct from (
          select x.after ->> 'account' from audit.entry x
            where x.target = l.customer_id::text and x.action = 'bank_account.link'
              and x.after ->> 'partnerId' = l.partner_id::text order by x.id desc limit 1)`,
  },
];
