import { type StateOf, statesOf } from '#lib/state-machine.ts';

/**
 * Where a transaction's status may go. One that the ledger refuses while it is made becomes DECLINED: it keeps its
 * reference taken, and nobody ever sees it.
 */
export const transactionTransitions = {
  AWAITING_ACCEPTANCE: ['ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'DECLINED'],
  ACCEPTED: [],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
  DECLINED: [],
} as const;

export type TransactionStatus = StateOf<typeof transactionTransitions>;
export const transactionStatuses = statesOf(transactionTransitions);
/** What a transaction that waits for its receiver may become. */
export type FinalStatus = (typeof transactionTransitions)['AWAITING_ACCEPTANCE'][number];
