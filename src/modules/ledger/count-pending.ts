import { countOfWaiting } from '#lib/postgres/lists.ts';

/** Transactions whose money waits in suspense. */
export const pendingTransactions = countOfWaiting(
  'ledger.pending',
  `select created_at as at from ledger.transaction where status = 'Pending'`,
);
