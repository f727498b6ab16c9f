import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { bothSides, findLinkAs, type Link, type LinkAddress, linkExpired, otherSide, transitionLink } from './link.ts';
import { type LinkRow, lockOpenLinksOfTag, lockOverdueLinks } from './link-store.ts';
import { linkStatusAt } from './states.ts';

type Deps = { db: Database; transact: Transact; keyring: Keyring; clock: Clock };

/**
 * The application of the linked tag's owner rejects a pending link. Its initiator gets the event.
 *
 * @throws DomainError LINK_NOT_FOUND; NOT_PERMITTED for the initiator; LINK_EXPIRED, LINK_NOT_PENDING
 */
export async function rejectLink(deps: Deps, caller: AuthenticatedApplication, which: LinkAddress): Promise<Link> {
  const now = deps.clock.now();
  const { parts, isLinked } = await findLinkAs(caller, deps, which);
  if (!isLinked) {
    throw new DomainError('NOT_PERMITTED', 'the side of the linked tag’s owner rejects a link: delete yours');
  }
  const change = { id: parts.link.id, next: 'REJECTED', now, recipients: otherSide(caller) } as const;
  return deps.transact((tx) => transitionLink(tx, change));
}

/**
 * Revokes a link: a verified one by either side, a pending one by its initiator. The other side gets the event.
 *
 * @throws DomainError LINK_NOT_FOUND; NOT_PERMITTED for a pending one and the other side, which rejects it; LINK_EXPIRED,
 *   LINK_ENDED
 */
export async function revokeLink(deps: Deps, caller: AuthenticatedApplication, which: LinkAddress): Promise<Link> {
  const now = deps.clock.now();
  const { parts, isPrimary } = await findLinkAs(caller, deps, which);
  if (!isPrimary && linkStatusAt(now, parts.link) === 'PENDING') {
    throw new DomainError('NOT_PERMITTED', 'the application that started this link takes it back: reject it');
  }
  const change = { id: parts.link.id, next: 'REVOKED', now, recipients: otherSide(caller) } as const;
  return deps.transact((tx) => transitionLink(tx, change, (row) => refuseToRevoke(row, now)));
}

function refuseToRevoke(row: LinkRow, now: Date): never {
  const status = linkStatusAt(now, row);
  if (status === 'EXPIRED') throw linkExpired();
  throw new DomainError('LINK_ENDED', `this link is ${status.toLowerCase()} already`);
}

/**
 * Revokes the open links of a tag that is being closed, whichever side of the link it is; both sides get the event. The
 * caller has locked the tag, so that nothing is agreed meanwhile.
 */
export async function endLinksOfTag(tx: Tx, tagId: string, now: Date): Promise<void> {
  for (const open of await lockOpenLinksOfTag(tx, { tagId })) {
    const next = linkStatusAt(now, open) === 'EXPIRED' ? 'EXPIRED' : 'REVOKED';
    await transitionLink(tx, { id: open.id, next, now, recipients: bothSides }, () => undefined);
  }
}

/**
 * Marks links EXPIRED that were not verified in time, at most `limit`; both sides get the event. Reads count a link as
 * expired before it is marked (`linkStatusAt`). Several processes may do so at the same time.
 *
 * @returns how many
 */
export async function expireLinks({ transact }: { transact: Transact }, limit: number, now: Date): Promise<number> {
  return transact(async (tx) => {
    const overdue = await lockOverdueLinks(tx, { now, limit });
    for (const id of overdue) await expireLocked(tx, id, now);
    return overdue.length;
  });
}

/** Marks a link EXPIRED that `lockOverdueLinks` found; both sides get the event. */
export async function expireLocked(tx: Tx, id: string, now: Date): Promise<void> {
  await transitionLink(tx, { id, next: 'EXPIRED', now, recipients: bothSides }, () => undefined);
}
