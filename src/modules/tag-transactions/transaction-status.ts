/**
 * Where a transaction's status may go. One that the ledger refuses while it is made becomes DECLINED: it stands for its
 * reference, and nobody ever sees it.
 */
export const moves = {
  AWAITING_ACCEPTANCE: ['ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'DECLINED'],
  ACCEPTED: [],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
  DECLINED: [],
} as const satisfies Record<string, readonly string[]>;

export type TransactionStatus = keyof typeof moves;
/** What a transaction that waits may become. */
export type Outcome = (typeof moves)['AWAITING_ACCEPTANCE'][number];

const statuses = Object.keys(moves) as TransactionStatus[];

/** The statuses from which a transaction may become this one. */
export const leadingTo = (next: TransactionStatus): TransactionStatus[] =>
  statuses.filter((status) => moves[status].some((allowed) => allowed === next));
