import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { payTagApplicationId } from '#modules/applications';
import { type ClaimDeps, stateAt } from './claim.ts';
import { move } from './move.ts';
import { type ClaimParts, selectApprovedOfOwner, selectById } from './store.ts';
import { bothSides } from './tell.ts';

/** What a customer has agreed to on her PayTag. */
export interface CustomerConsent {
  id: string;
  paytag: string;
  /** The application that asked. */
  applicationName: string;
  /** For whom: the name that the application gives its subject. */
  name: string | undefined;
  approvedAt: Date | undefined;
}

/** The claims that a customer consented to and that stand, newest first. `count` is of all of them. */
export async function listCustomerConsents(
  { db }: { db: Database },
  { customerId, limit }: { customerId: string; limit: number },
): Promise<{ items: CustomerConsent[]; count: number }> {
  const owner = { applicationId: payTagApplicationId, externalId: customerId };
  const { items, count } = await selectApprovedOfOwner(db, owner, limit);
  return { items: items.map(toConsent), count };
}

/**
 * A customer takes back what she agreed to, for good: the claim is REVOKED, and the application that asked is told.
 *
 * @throws DomainError CONSENT_NOT_FOUND, also for one that is not hers; CLAIM_NOT_APPROVED
 */
export async function withdrawConsent(
  deps: ClaimDeps,
  { customerId, consentId }: { customerId: string; consentId: string },
): Promise<void> {
  const found = await selectById(deps.db, consentId);
  if (found === undefined || !isHers(found, customerId)) {
    throw new DomainError('CONSENT_NOT_FOUND', 'the customer was asked no such consent');
  }
  const now = deps.clock.now();
  const change = { id: consentId, next: 'REVOKED', now, told: bothSides } as const;
  await deps.transact((tx) =>
    move(tx, deps, change, (row) => {
      throw new DomainError('CLAIM_NOT_APPROVED', `this consent is ${stateAt(now, row).toLowerCase()}, not approved`);
    }),
  );
}

const isHers = ({ owner, ownerApp }: ClaimParts, customerId: string): boolean =>
  ownerApp.id === payTagApplicationId && owner.externalId === customerId;

const toConsent = ({ claim, tag, requester, claimant }: ClaimParts): CustomerConsent => ({
  id: claim.id,
  paytag: tag.handle,
  applicationName: requester.name,
  name: claimant.displayName ?? undefined,
  approvedAt: claim.approvedAt ?? undefined,
});
