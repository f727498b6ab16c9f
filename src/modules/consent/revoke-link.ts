import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { findLink, type Link, type LinkAddress, linkExpired, statusAt } from './link.ts';
import type { LinkStatus } from './link-status.ts';
import { type LinkRow } from './link-store.ts';
import { lockOpenOfTag } from './lock-store.ts';
import { bothSides, otherSide, transitionLink } from './transition-link.ts';

/**
 * Revokes a link: a verified one by either side, a pending one by the application that started it. The other side is
 * notified.
 *
 * @throws DomainError LINK_NOT_FOUND; NOT_PERMITTED for a pending one and the other side, which rejects it; LINK_EXPIRED,
 *   LINK_ENDED
 */
export async function revokeLink(
  { transact, db, keyring, clock }: { db: Database; keyring: Keyring; transact: Transact; clock: Clock },
  caller: AuthenticatedApplication,
  which: LinkAddress,
): Promise<Link> {
  const now = clock.now();
  const { parts, isPrimary } = await findLink(db, keyring, caller, which);
  if (!isPrimary && statusAt(now, parts.link) === 'PENDING') {
    throw new DomainError('NOT_PERMITTED', 'the application that started this link takes it back: reject it');
  }
  const change = { id: parts.link.id, next: 'REVOKED', now, recipients: otherSide(caller) } as const;
  return transact((tx) => transitionLink(tx, change, (row) => refuse(row, now)));
}

function refuse(row: LinkRow, now: Date): never {
  const status = statusAt(now, row);
  if (status === 'EXPIRED') throw linkExpired();
  throw new DomainError('LINK_ENDED', `this link is ${status.toLowerCase()} already`);
}

/**
 * Revokes the open links of a tag that is closed, on whichever side of a link it stands, and notifies both sides. The caller
 * has locked the tag, so that nothing new is agreed meanwhile.
 */
export async function endLinksOfTag(tx: Tx, tagId: string, now: Date): Promise<void> {
  for (const link of await lockOpenOfTag(tx, tagId)) {
    const status: LinkStatus = statusAt(now, link);
    const next = status === 'EXPIRED' ? ('EXPIRED' as const) : ('REVOKED' as const);
    await transitionLink(tx, { id: link.id, next, now, recipients: bothSides }, () => undefined);
  }
}
