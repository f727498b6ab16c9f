import { countOfWaiting } from '#lib/postgres/lists.ts';

/** Applications that wait for approval. */
export const waitingApplications = countOfWaiting(
  'applications.waiting',
  `select created_at as at from applications.application where status = 'PENDING'`,
);
