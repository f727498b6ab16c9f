import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'bank_accounts.linked_account',
    kept: 'until another replaces it, or its customer is erased',
    why: 'payouts go there',
  },
];
