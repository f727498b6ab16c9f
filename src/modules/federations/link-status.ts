/**
 * Where a link may go. A pending one is revoked by the side that started it, a verified one by either. A link that is
 * PENDING past its time counts as EXPIRED, swept or not.
 */
export const moves = {
  PENDING: ['VERIFIED', 'REJECTED', 'FAILED', 'EXPIRED', 'REVOKED'],
  VERIFIED: ['REVOKED'],
  REJECTED: [],
  FAILED: [],
  EXPIRED: [],
  REVOKED: [],
} as const satisfies Record<string, readonly string[]>;

export type LinkStatus = keyof typeof moves;

export const linkStatuses = [
  'PENDING',
  'VERIFIED',
  'REJECTED',
  'FAILED',
  'EXPIRED',
  'REVOKED',
] as const satisfies readonly LinkStatus[];

/** The statuses from which a link may come to this one. */
export const leadingTo = (next: LinkStatus): LinkStatus[] =>
  linkStatuses.filter((status) => moves[status].some((allowed) => allowed === next));
