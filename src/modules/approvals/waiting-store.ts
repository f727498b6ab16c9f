import { countOfWaiting } from '#lib/postgres/lists.ts';

/** Requests that wait for another operator. */
export const waitingApprovals = countOfWaiting(
  'approvals.waiting',
  `select created_at as at from approvals.approval where status = 'PENDING'`,
);
