import { mayBecome, type StateOf, statesOf } from '#lib/state-machine.ts';

/**
 * Where the state of a dispute may go. EXPIRED: the time to answer is over, and it waits for its decision. WON: the receiver keeps
 * the money. LOST: it went back.
 */
export const disputeTransitions = {
  OPEN: ['EXPIRED', 'WON', 'LOST'],
  EXPIRED: ['WON', 'LOST'],
  WON: [],
  LOST: [],
} as const;

export type DisputeState = StateOf<typeof disputeTransitions>;
/** The states in which its amount is kept. */
export const isUndecided = (state: DisputeState): state is 'OPEN' | 'EXPIRED' =>
  mayBecome(disputeTransitions, state, 'WON');

export const disputeStates = statesOf(disputeTransitions);
