import { lockTagStatus } from '#modules/tags';
import { assertActive, assertPending, type ClaimDeps, toClaim } from './claim.ts';
import { findConsent } from './read-consent.ts';
import { type ClaimRow, recordConfirmation, selectById } from './store.ts';
import { tell } from './tell.ts';

/**
 * Records that the tag's owner consented in person; the caller has her proof. The application that asked is told
 * CONSENT_CONFIRMED, once, and may now approve: the claim is PENDING until it does.
 *
 * @param how what she proved herself by
 * @throws DomainError CONSENT_NOT_FOUND, CONSENT_EXPIRED, CONSENT_NOT_PENDING, TAG_SUSPENDED
 */
export async function confirmConsent(
  deps: ClaimDeps,
  consentToken: string,
  how: NonNullable<ClaimRow['ownerConfirmedBy']>,
): Promise<void> {
  const now = deps.clock.now();
  const { claim } = await findConsent(deps.db, consentToken);
  await deps.transact(async (tx) => {
    assertActive(await lockTagStatus(tx, claim.tagId));
    const recorded = await recordConfirmation(tx, claim.id, how, now);
    const parts = await selectById(tx, claim.id);
    if (parts === undefined) throw new Error('a claim is never deleted');
    assertPending(now, parts.claim);
    if (recorded) await tell(tx, 'CONSENT_CONFIRMED', toClaim(deps, parts), [parts.claim.requestedByAppId]);
  });
}
