/** Where a claim may go. A claim that is PENDING past the end of its consent token counts as EXPIRED, swept or not. */
export const moves = {
  PENDING: ['APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED'],
  APPROVED: ['REVOKED'],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
  REVOKED: [],
} as const satisfies Record<string, readonly string[]>;

export type ClaimState = keyof typeof moves;

export const claimStates = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'CANCELLED',
  'EXPIRED',
  'REVOKED',
] as const satisfies readonly ClaimState[];

/** The states from which a claim may come to this one. */
export const leadingTo = (next: ClaimState): ClaimState[] =>
  claimStates.filter((state) => moves[state].some((allowed) => allowed === next));
