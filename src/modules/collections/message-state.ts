/**
 * The states of a message. RECEIVED: it is to be booked. BOOKED: it is in the books, for good. IGNORED: it tells of nothing that
 * we book. DIFFERENT: what it says does not agree with our books, or cannot be booked as it is: an operator looks at it, and may
 * have it tried again. DISMISSED: it was DIFFERENT, and an operator has closed it.
 */
export const messageStates = ['RECEIVED', 'DIFFERENT', 'IGNORED', 'BOOKED', 'DISMISSED'] as const;

/** Why what a message says does not agree with our books. */
export const differences = [
  'PAYOUT_UNKNOWN',
  'AMOUNT_DIFFERS',
  'CURRENCY_DIFFERS',
  'PROVIDER_DIFFERS',
  'PAYEE_DIFFERS',
  'PAYOUT_ENDED_OTHERWISE',
  'ACCOUNT_UNKNOWN',
  'ACCOUNT_DIFFERS',
  'ACCOUNT_REFUSED',
  'AMOUNT_ZERO',
  'REPORTED_ALREADY',
  'UNREADABLE',
] as const;
export type Difference = (typeof differences)[number];
