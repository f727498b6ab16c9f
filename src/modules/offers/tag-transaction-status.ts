import { type StateOf, statesOf } from '#lib/state-machine.ts';

/**
 * Where the status of a tag transaction may go. One that the ledger refuses while it is made becomes DECLINED: its
 * reference stays taken, and only its sender sees it.
 */
export const tagTransactionTransitions = {
  AWAITING_ACCEPTANCE: ['ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED', 'DECLINED'],
  ACCEPTED: [],
  REJECTED: [],
  CANCELLED: [],
  EXPIRED: [],
  DECLINED: [],
} as const;

export type TagTransactionStatus = StateOf<typeof tagTransactionTransitions>;
export const tagTransactionStatuses = statesOf(tagTransactionTransitions);
