import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { ApplicationRow } from './store.ts';

/** Compared with when there is none, so that every refusal does the same work. */
const digestOfNobody = sha256('nobody');

/** Whether this is the application's client secret, or the one before it while that is taken too. Constant time. */
export function isSecretOf(row: ApplicationRow | undefined, secret: string, now: Date): boolean {
  const given = sha256(secret);
  const isCurrent = equalDigests(row?.secretDigest ?? digestOfNobody, given);
  const isPrevious = equalDigests(row?.previousSecretDigest ?? digestOfNobody, given);
  const overlaps = row?.previousSecretUntil != null && row.previousSecretUntil > now;
  return row !== undefined && (isCurrent || (isPrevious && overlaps));
}
