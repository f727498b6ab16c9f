import { type StateOf, statesOf } from '#lib/state-machine.ts';

/**
 * Where the state of a message may go. RECEIVED: it is to be booked. DIFFERENT: what it says does not agree with our books, or
 * cannot be booked as it is: an operator looks at it. IGNORED: it tells of nothing that we book.
 */
export const messageTransitions = {
  RECEIVED: ['BOOKED', 'IGNORED', 'DIFFERENT'],
  DIFFERENT: ['RECEIVED', 'BOOKED', 'IGNORED'],
  IGNORED: ['RECEIVED'],
  BOOKED: [],
} as const;

export type MessageState = StateOf<typeof messageTransitions>;
export const messageStates = statesOf(messageTransitions);

/** Why what a message says does not agree with our books. */
export const differences = [
  'PAYOUT_UNKNOWN',
  'AMOUNT_DIFFERS',
  'CURRENCY_DIFFERS',
  'PROVIDER_DIFFERS',
  'PAYOUT_ENDED_OTHERWISE',
] as const;
export type Difference = (typeof differences)[number];
