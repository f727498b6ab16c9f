import { assertPending, type ClaimDeps } from './claim.ts';
import { move } from './move.ts';
import { findConsent } from './read-consent.ts';
import { bothSides } from './tell.ts';

/**
 * The tag's owner refuses in person; the caller has her proof. The claim is REJECTED, and both applications are told.
 *
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING
 */
export async function declineConsent(deps: ClaimDeps, consentToken: string): Promise<void> {
  const now = deps.clock.now();
  const { claim } = await findConsent(deps.db, consentToken);
  const change = { id: claim.id, next: 'REJECTED', now, told: bothSides } as const;
  await deps.transact((tx) => move(tx, deps, change, (row) => assertPending(now, row)));
}
