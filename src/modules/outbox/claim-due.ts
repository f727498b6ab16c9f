import type { Pool } from 'pg';
import { type ClaimedRow, type ClaimRequest, claimRows } from './claim-store.ts';

/** An attempt that has begun: it is counted and on record, and is to be sent now. */
export type Claim = Omit<ClaimedRow, 'status'>;

export interface Claimed {
  claims: Claim[];
  /** Deliveries whose fifth attempt never came to an end. They are FAILED now, and not sent again. */
  abandoned: Claim[];
  /** Milliseconds until the next of the others is due, or the next breaker lets one through; null when none waits. */
  dueInMs: number | null;
  /** Something was due, or may be as soon as a probe has ended: what this claim did not take waits for a slot. */
  crowded: boolean;
}

/**
 * Takes up to `limit` due deliveries of active receivers that have a URL, the least busy receivers first, and leaves room
 * for one that comes next. Each is counted and recorded as begun before this returns, so whatever dies afterwards, no
 * delivery has a sixth attempt; when nothing is recorded within `leaseMs`, it is due again. Claims of several processes
 * never overlap. Of a receiver whose breaker is open it takes nothing, of a half-open one a single probe.
 */
export async function claimDue(pool: Pool, request: ClaimRequest): Promise<Claimed> {
  const { rows, ...ahead } = await claimRows(pool, request);
  const withStatus = (status: ClaimedRow['status']) => rows.filter((row) => row.status === status);
  return { claims: withStatus('PENDING'), abandoned: withStatus('FAILED'), ...ahead };
}
