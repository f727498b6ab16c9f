import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { type Link, linkExpired, statusAt } from './link.ts';
import { move } from './move.ts';
import { partyOf, type WhichLink } from './party.ts';
import type { LinkRow } from './store.ts';
import { otherSide } from './tell.ts';

/**
 * Ends a link, which is then REVOKED: a verified one by either side, a pending one by the application that started it.
 * The other side is told.
 *
 * @throws DomainError LINK_NOT_FOUND; NOT_PERMITTED for a pending one and the other side, which rejects it; LINK_EXPIRED,
 *   LINK_ENDED
 */
export async function endLink(
  { transact, db, clock }: { db: Database; transact: Transact; clock: Clock },
  caller: AuthenticatedApplication,
  which: WhichLink,
): Promise<Link> {
  const now = clock.now();
  const { parts, isPrimary } = await partyOf(db, caller, which);
  if (!isPrimary && statusAt(now, parts.link) === 'PENDING') {
    throw new DomainError('NOT_PERMITTED', 'the application that started this link takes it back: reject it');
  }
  const change = { id: parts.link.id, next: 'REVOKED', now, told: otherSide(caller) } as const;
  return transact((tx) => move(tx, change, (row) => refuse(row, now)));
}

function refuse(row: LinkRow, now: Date): never {
  const status = statusAt(now, row);
  if (status === 'EXPIRED') throw linkExpired();
  throw new DomainError('LINK_ENDED', `this link is ${status.toLowerCase()} already`);
}
