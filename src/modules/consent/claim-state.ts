import { type StateOf, statesOf } from '#lib/state-machine.ts';

/** Where a claim may go. */
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

/** A claim's state at this moment: one that is PENDING when its consent token expires is EXPIRED, marked so or not. */
export const stateAt = (now: Date, { state, tokenExpiresAt }: { state: ClaimState; tokenExpiresAt: Date }) =>
  state === 'PENDING' && tokenExpiresAt <= now ? 'EXPIRED' : state;
