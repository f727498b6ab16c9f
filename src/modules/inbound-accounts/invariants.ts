import type { SqlInvariant } from '#lib/invariant.ts';

/** What must be true of assigned account numbers at any moment. */
export const invariants: readonly SqlInvariant[] = [
  {
    name: 'assigned_accounts_are_audited',
    promise: 'an account number is the wallet’s to which its provider assigned it, by the audit log',
    offenders: () => `
      select a.id as account_id, a.wallet, a.provider from inbound_accounts.account a
        where a.account_index is not null and encode(a.account_index, 'hex') is distinct from (
          select x.after ->> 'account' from audit.entry x
            where x.target = a.wallet and x.action = 'account_number.assign' and x.after ->> 'provider' = a.provider
            order by x.id desc limit 1)`,
  },
];
