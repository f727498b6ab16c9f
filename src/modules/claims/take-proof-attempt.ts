import { type Clock, secondsUntil } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { assertPending } from './claim.ts';
import { findConsent } from './read-consent.ts';
import { countAttempt } from './store.ts';

/** Proofs that may be tried on one consent request, whoever tries. */
export const PROOF_ATTEMPTS_MAX = 5;

/**
 * Takes one of the attempts to prove on the page that one is the tag's owner. Call it before the proof is looked at, so
 * that of any number at once no more than five are.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, CONSENT_ATTEMPTS_EXCEEDED
 */
export async function takeProofAttempt(
  { db, clock }: { db: Database; clock: Clock },
  consentToken: string,
): Promise<void> {
  const now = clock.now();
  const { claim } = await findConsent(db, consentToken);
  assertPending(now, claim);
  if (await countAttempt(db, claim.id, PROOF_ATTEMPTS_MAX)) return;
  throw new DomainError(
    'CONSENT_ATTEMPTS_EXCEEDED',
    'too many attempts on this consent request: the application can cancel it and ask again',
    { retryAfterS: secondsUntil(claim.tokenExpiresAt, now) },
  );
}
