import type { Clock } from '#lib/clock.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import type { AuthenticatedApplication } from '#modules/applications';
import { assertPending, type Link } from './link.ts';
import { move } from './move.ts';
import { partyOf, type WhichLink } from './party.ts';
import { otherSide } from './tell.ts';

/**
 * Rejects a pending link: by the application of the linked tag's owner. The one that started it is told.
 *
 * @throws DomainError LINK_NOT_FOUND; NOT_PERMITTED for the application that started it; LINK_EXPIRED, LINK_NOT_PENDING
 */
export async function rejectLink(
  { transact, db, clock }: { db: Database; transact: Transact; clock: Clock },
  caller: AuthenticatedApplication,
  which: WhichLink,
): Promise<Link> {
  const now = clock.now();
  const { parts, isLinked } = await partyOf(db, caller, which);
  if (!isLinked)
    throw new DomainError('NOT_PERMITTED', 'the side of the linked tag’s owner rejects a link: delete yours');
  const change = { id: parts.link.id, next: 'REJECTED', now, told: otherSide(caller) } as const;
  return transact((tx) => move(tx, change, (row) => assertPending(now, row)));
}
