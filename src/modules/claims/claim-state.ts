import { type StateOf, statesOf } from '#lib/state-machine.ts';

/** Where a claim may go. One that is PENDING when its consent token expires counts as EXPIRED, marked so or not. */
export const claimTransitions = {
  PENDING: ['APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED'],
  APPROVED: ['REVOKED'],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
  REVOKED: [],
} as const;

export type ClaimState = StateOf<typeof claimTransitions>;
export const claimStates = statesOf(claimTransitions);
