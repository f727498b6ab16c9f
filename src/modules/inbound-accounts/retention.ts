import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'inbound_accounts.account',
    kept: 'with its wallet',
    why: 'money is paid to it',
  },
];
