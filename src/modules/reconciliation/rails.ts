import { systemAccount } from '#modules/ledger';

/** Where money enters and leaves the books, and the clearing account that each has. */
const clearingOf = {
  PAYOUT: 'CLEARING_PAYOUT',
  INBOUND: 'CLEARING_INBOUND',
  COLLECTION: 'CLEARING_COLLECTION',
  GATEWAY: 'CLEARING_GATEWAY',
  TERMINAL: 'CLEARING_TERMINAL',
  BANK: 'CLEARING',
} as const;

export type Rail = keyof typeof clearingOf;
export const rails = [
  'PAYOUT',
  'INBOUND',
  'COLLECTION',
  'GATEWAY',
  'TERMINAL',
  'BANK',
] as const satisfies readonly Rail[];

/** The clearing account of a rail, in naira. */
export const clearingAccount = (rail: Rail): number => systemAccount(clearingOf[rail], 'NGN');
