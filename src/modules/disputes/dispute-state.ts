import { mayBecome, type StateOf, statesOf } from '#lib/state-machine.ts';

/**
 * The transitions of a dispute. EXPIRED: the deadline is over, without a decision. WON: the receiver keeps the money. LOST: it was
 * refunded.
 */
export const disputeTransitions = {
  OPEN: ['EXPIRED', 'WON', 'LOST'],
  EXPIRED: ['WON', 'LOST'],
  WON: [],
  LOST: [],
} as const;

export type DisputeState = StateOf<typeof disputeTransitions>;

/** The states in which the lien is in force. */
export const isUndecided = (state: DisputeState): state is 'OPEN' | 'EXPIRED' =>
  mayBecome(disputeTransitions, state, 'WON');

export const disputeStates = statesOf(disputeTransitions);
