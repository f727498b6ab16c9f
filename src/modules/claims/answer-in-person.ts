import { type Answer, type Proof, proveOwner } from '#modules/owner-proofs';
import type { Throttles } from '#modules/throttles';
import type { ClaimDeps } from './claim.ts';
import { confirmConsent } from './confirm-consent.ts';
import { challengeOf, findAnswerable } from './consent-in-person.ts';
import { declineConsent } from './decline-consent.ts';
import { takeProofAttempt } from './take-proof-attempt.ts';

/**
 * The owner of a tag proves herself, and approves or declines a consent request. She may decline what she approved,
 * until the application has fetched her approval. The same answer given again is refused.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, CONSENT_ATTEMPTS_EXCEEDED, TAG_SUSPENDED,
 *   INVALID_CUSTOMER_CREDENTIALS, OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, BUSY
 */
export async function answerInPerson(
  deps: ClaimDeps & { throttles: Throttles },
  consentToken: string,
  { answer, proof }: { answer: Answer; proof: Proof },
): Promise<void> {
  const found = await findAnswerable(deps, consentToken, answer);
  const how = await proveOwner(deps, challengeOf(found), proof, () => takeProofAttempt(deps, consentToken));
  if (answer === 'approve') await confirmConsent(deps, consentToken, how);
  else await declineConsent(deps, consentToken);
}
