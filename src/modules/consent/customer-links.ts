import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { findPayTagId } from '#modules/customers';
import { selectVerifiedTo } from './link-list-store.ts';
import { assertLink } from './link-route.ts';
import { type LinkParts, selectLink } from './link-store.ts';
import { otherSide, transitionLink } from './transition-link.ts';

/** A link of a customer's PayTag that they, or what they agreed to, have verified. */
export interface CustomerLink {
  id: string;
  paytag: string;
  /** The application that started it. */
  applicationName: string;
  /** Its tag, as `ada@acme`. */
  linkedTo: string;
  verifiedAt: Date | undefined;
}

/** The links of a customer's PayTag that stand, however they were verified, newest first. `count` is of all of them. */
export async function listCustomerLinks(
  { db }: { db: Database },
  { customerId, ...first }: { customerId: string; limit: number; before?: string | undefined },
): Promise<{ items: CustomerLink[]; count: number }> {
  const payTagId = await findPayTagId(db, customerId);
  if (payTagId === undefined) return { items: [], count: 0 };
  const { items, count } = await selectVerifiedTo(db, payTagId, first);
  return { items: items.map(toCustomerLink), count };
}

/**
 * A customer ends a link of their PayTag, for good: it is REVOKED, and the application that started it is notified.
 *
 * @returns false for an id that is no link of theirs which was ever verified
 *
 * @throws DomainError LINK_ENDED
 */
export async function withdrawLink(
  { transact, db, keyring, clock }: { db: Database; transact: Transact; keyring: Keyring; clock: Clock },
  { customerId, linkId }: { customerId: string; linkId: string },
): Promise<boolean> {
  const found = await selectLink(db, linkId);
  if (found === undefined || found.link.verifiedAt === null) return false;
  if (found.link.linkedTagId !== (await findPayTagId(db, customerId))) return false;
  assertLink(keyring, found.link);
  const change = { id: linkId, next: 'REVOKED', now: clock.now(), recipients: otherSide(found.linkedApp) } as const;
  await transact((tx) =>
    transitionLink(tx, change, () => {
      throw new DomainError('LINK_ENDED', 'this link is revoked already');
    }),
  );
  return true;
}

const toCustomerLink = ({ link, linked, primary, primaryApp }: LinkParts): CustomerLink => ({
  id: link.id,
  paytag: linked.handle,
  applicationName: primaryApp.name,
  linkedTo: `${primary.handle}@${primaryApp.namespace}`,
  verifiedAt: link.verifiedAt ?? undefined,
});
