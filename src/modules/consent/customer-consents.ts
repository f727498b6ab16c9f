import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { payTagApplicationId } from '#modules/clients';
import type { ClaimDeps } from './claim.ts';
import { assertClaim } from './claim-route.ts';
import { stateAt } from './claim-state.ts';
import { type ClaimParts, selectApprovedOfOwner, selectById } from './claim-store.ts';
import { bothSides, transitionClaim } from './transition-claim.ts';

/** A claim that a customer has consented to on their PayTag. */
export interface CustomerConsent {
  id: string;
  paytag: string;
  /** The application that asked. */
  applicationName: string;
  /** For whom: the name that the application gives its subject. */
  name: string | undefined;
  approvedAt: Date | undefined;
}

/** The approved claims on a customer's PayTag, newest first, those made before one of an id. `count` is of all of them. */
export async function listCustomerConsents(
  { db }: { db: Database },
  { customerId, ...first }: { customerId: string; limit: number; before?: string | undefined },
): Promise<{ items: CustomerConsent[]; count: number }> {
  const owner = { applicationId: payTagApplicationId, externalId: customerId };
  const { items, count } = await selectApprovedOfOwner(db, owner, first);
  return { items: items.map(toConsent), count };
}

/**
 * A customer takes a consent back, for good: the claim is REVOKED, and the application that asked gets the event.
 *
 * @throws DomainError CONSENT_NOT_FOUND, also for another customer's; CLAIM_NOT_APPROVED
 */
export async function withdrawConsent(
  deps: ClaimDeps,
  { customerId, consentId }: { customerId: string; consentId: string },
): Promise<void> {
  const found = await selectById(deps.db, consentId);
  if (found === undefined || !isOwnedBy(found, customerId)) {
    throw new DomainError('CONSENT_NOT_FOUND', 'the customer was asked no such consent');
  }
  assertClaim(deps.keyring, found.claim);
  const now = deps.clock.now();
  const change = { id: consentId, next: 'REVOKED', now, recipients: bothSides } as const;
  await deps.transact((tx) =>
    transitionClaim(tx, deps, change, (row) => {
      throw new DomainError('CLAIM_NOT_APPROVED', `this consent is ${stateAt(now, row).toLowerCase()}, not approved`);
    }),
  );
}

const isOwnedBy = ({ owner, ownerApp }: ClaimParts, customerId: string): boolean =>
  ownerApp.id === payTagApplicationId && owner.externalId === customerId;

const toConsent = ({ claim, tag, requester, claimant }: ClaimParts): CustomerConsent => ({
  id: claim.id,
  paytag: tag.handle,
  applicationName: requester.name,
  name: claimant.displayName ?? undefined,
  approvedAt: claim.approvedAt ?? undefined,
});
