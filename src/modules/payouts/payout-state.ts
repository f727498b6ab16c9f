import { type StateOf, statesOf } from '#lib/state-machine.ts';

/**
 * Where the state of a payout may go. PENDING: nothing was asked of the provider yet. SENT: the provider was asked, or is being
 * asked. UNKNOWN: it may have paid, and is asked what became of it, never to pay again. One that went back to PENDING because it
 * cannot have been asked for may turn out to be SUCCESSFUL, when its provider says so.
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
