import { type StateOf, statesOf } from '#lib/state-machine.ts';

/**
 * Where a link may go. A pending one is revoked by the side that started it, a verified one by either. A link that is
 * PENDING past its time counts as EXPIRED, swept or not.
 */
export const linkTransitions = {
  PENDING: ['VERIFIED', 'REJECTED', 'FAILED', 'EXPIRED', 'REVOKED'],
  VERIFIED: ['REVOKED'],
  REJECTED: [],
  FAILED: [],
  EXPIRED: [],
  REVOKED: [],
} as const;

export type LinkStatus = StateOf<typeof linkTransitions>;
export const linkStatuses = statesOf(linkTransitions);
