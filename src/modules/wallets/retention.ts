import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'wallets.kyc_numbering',
    kept: 'as long as its partner',
    why: 'numbers are given once',
  },
  {
    table: 'wallets.kyc_profile',
    kept: 'for ever',
    why: 'whose a wallet is that has no customer',
  },
  {
    table: 'wallets.partner_wallet',
    kept: 'for ever',
    why: 'the books',
  },
];
