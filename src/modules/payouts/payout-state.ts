import { type StateOf, statesOf } from '#lib/state-machine.ts';

/**
 * The transitions of a payout. PENDING: not sent. SENT: sent, or being sent. UNKNOWN: the provider may have paid; it is polled
 * and never sent again. A payout that returned to PENDING because it cannot have been sent may still become SUCCESSFUL, if the
 * provider says so.
 */
export const payoutTransitions = {
  PENDING: ['SENT', 'SUCCESSFUL', 'FAILED'],
  SENT: ['PENDING', 'UNKNOWN', 'SUCCESSFUL', 'FAILED'],
  UNKNOWN: ['SUCCESSFUL', 'FAILED'],
  SUCCESSFUL: ['REVERSED'],
  FAILED: [],
  REVERSED: [],
} as const;

export type PayoutState = StateOf<typeof payoutTransitions>;

export const payoutStates = statesOf(payoutTransitions);
