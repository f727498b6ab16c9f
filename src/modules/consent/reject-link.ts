import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { AuthenticatedApplication } from '#modules/clients';
import { findLink, type Link, type LinkAddress } from './link.ts';
import { otherSide, transitionLink } from './transition-link.ts';

/**
 * Rejects a pending link: by the application of the linked tag's owner. The one that started it is notified.
 *
 * @throws DomainError LINK_NOT_FOUND; NOT_PERMITTED for the application that started it; LINK_EXPIRED, LINK_NOT_PENDING
 */
export async function rejectLink(
  { transact, db, keyring, clock }: { db: Database; keyring: Keyring; transact: Transact; clock: Clock },
  caller: AuthenticatedApplication,
  which: LinkAddress,
): Promise<Link> {
  const now = clock.now();
  const { parts, isLinked } = await findLink(db, keyring, caller, which);
  if (!isLinked) {
    throw new DomainError('NOT_PERMITTED', 'the side of the linked tag’s owner rejects a link: delete yours');
  }
  const change = { id: parts.link.id, next: 'REJECTED', now, recipients: otherSide(caller) } as const;
  return transact((tx) => transitionLink(tx, change));
}
