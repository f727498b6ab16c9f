import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { isPast, type Listed, OFFSET_MAX, type PageRequest, pageOfRows } from '#lib/postgres/lists.ts';
import { payTagApplicationId } from '#modules/clients';
import { findPayTagId } from '#modules/customers';
import { assertClaim, bothSides, type ClaimDeps, transitionClaim } from './claim.ts';
import { type ClaimParts, selectApprovedOfOwner, selectById } from './claim-store.ts';
import { notApproved } from './end-claim.ts';
import { assertLink, otherSide, transitionLink } from './link.ts';
import { type LinkParts, selectLink, selectVerifiedTo } from './link-store.ts';

/** What a customer has agreed to on their PayTag: that it stands for a user elsewhere, or is linked to another tag. */
export type Agreement = ConsentedClaim | VerifiedLink;

interface ConsentedClaim {
  type: 'CLAIM';
  id: string;
  paytag: string;
  /** The requester. */
  applicationName: string;
  /** The name that the requester gives its subject. */
  name: string | undefined;
  approvedAt: Date | undefined;
}

interface VerifiedLink {
  type: 'LINK';
  id: string;
  paytag: string;
  /** The application that started the link. */
  applicationName: string;
  /** Its tag, as `ada@acme`. */
  linkedTo: string;
  verifiedAt: Date | undefined;
}

/** The approved claims and the links on a customer's PayTag, newest first. `count` is of all pages. */
export async function listAgreements(
  { db }: { db: Database },
  { customerId, limit, offset, cursor }: { customerId: string } & PageRequest<string>,
): Promise<Listed<Agreement, string>> {
  const first = { limit: Math.min(offset, OFFSET_MAX) + limit + 1, before: cursor };
  const owner = { applicationId: payTagApplicationId, externalId: customerId };
  const [claims, links] = await Promise.all([
    selectApprovedOfOwner(db, owner, first),
    findPayTagId(db, customerId).then((id) => (id === undefined ? NO_LINKS : selectVerifiedTo(db, id, first))),
  ]);
  const counted = { count: claims.count + links.count, countIsExact: true };
  if (isPast(counted, offset)) return { items: [], ...counted, next: undefined };
  const all: Agreement[] = [...claims.items.map(toClaimed), ...links.items.map(toLinked)];
  // The ids are UUIDs of version 7, which sort by the time they were made.
  const sorted = all.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(offset);
  return { ...pageOfRows(sorted, limit, ({ id }) => id), ...counted };
}

const NO_LINKS = { items: [], count: 0 };

const toClaimed = ({ claim, tag, requester, claimant }: ClaimParts): ConsentedClaim => ({
  type: 'CLAIM',
  id: claim.id,
  paytag: tag.handle,
  applicationName: requester.name,
  name: claimant.displayName ?? undefined,
  approvedAt: claim.approvedAt ?? undefined,
});

const toLinked = ({ link, linked, primary, primaryApp }: LinkParts): VerifiedLink => ({
  type: 'LINK',
  id: link.id,
  paytag: linked.handle,
  applicationName: primaryApp.name,
  linkedTo: `${primary.handle}@${primaryApp.namespace}`,
  verifiedAt: link.verifiedAt ?? undefined,
});

/**
 * A customer takes back what they agreed to, for good: the claim or link is REVOKED. The application that asked for it gets
 * the event.
 *
 * @throws DomainError CONSENT_NOT_FOUND, also for another customer's; CLAIM_NOT_APPROVED, LINK_ENDED
 */
export async function withdrawAgreement(
  deps: ClaimDeps,
  { customerId, consentId }: { customerId: string; consentId: string },
): Promise<void> {
  const link = await selectLink(deps.db, consentId);
  // Only a link that was ever verified is an agreement.
  const linkedTagId = link?.link.verifiedAt == null ? undefined : link.link.linkedTagId;
  if (link !== undefined && linkedTagId !== undefined && linkedTagId === (await findPayTagId(deps.db, customerId))) {
    await revokeLink(deps, link);
    return;
  }
  const claim = await selectById(deps.db, consentId);
  if (claim?.ownerApp.id !== payTagApplicationId || claim.owner.externalId !== customerId) {
    throw new DomainError('CONSENT_NOT_FOUND', 'this customer has no such consent');
  }
  await revokeClaim(deps, claim);
}

async function revokeLink({ transact, keyring, clock }: ClaimDeps, { link, linkedApp }: LinkParts): Promise<void> {
  assertLink(keyring, link);
  const change = { id: link.id, next: 'REVOKED', now: clock.now(), recipients: otherSide(linkedApp) } as const;
  await transact((tx) =>
    transitionLink(tx, change, () => {
      throw new DomainError('LINK_ENDED', 'this link is revoked already');
    }),
  );
}

async function revokeClaim(deps: ClaimDeps, { claim }: ClaimParts): Promise<void> {
  assertClaim(deps.keyring, claim);
  const now = deps.clock.now();
  const change = { id: claim.id, next: 'REVOKED', now, recipients: bothSides } as const;
  await deps.transact((tx) => transitionClaim(tx, deps, change, notApproved(now, 'consent')));
}
