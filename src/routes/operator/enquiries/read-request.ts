import type { Database } from '#lib/postgres/executor.ts';
import { listChanges } from '#modules/audit';
import { findKeyedRequests, type KeyedRequest } from '#modules/idempotency';

/** Of what several requests of one id did. */
const EACH_MAX = 100;

/** What is kept of the requests with an X-Request-Id: whoever calls may choose it, and choose it twice. */
export interface KeptOfRequest {
  requestId: string;
  /** What they changed, newest first. */
  changes: Awaited<ReturnType<typeof listChanges>>['items'];
  /** What they were answered that came with an Idempotency-Key in the last 24 hours, newest first. */
  answers: KeyedRequest[];
}

/** What is kept of a request: a hundred changes and a hundred answers at most. The log has all of them. */
export async function readRequestKept(db: Database, requestId: string): Promise<KeptOfRequest> {
  const [{ items }, answers] = await Promise.all([
    listChanges(db, { requestId, limit: EACH_MAX, offset: 0, isUncounted: true }),
    findKeyedRequests(db, { requestId, limit: EACH_MAX }),
  ]);
  return { requestId, changes: items, answers };
}

/** What to do with the id of a request besides. */
export const whereElse = ({ requestId, changes, answers }: KeptOfRequest): string =>
  changes.length + answers.length === 0
    ? `nothing is kept of it; look in the log for requestId=${requestId}`
    : `the log has more, under requestId=${requestId}`;
