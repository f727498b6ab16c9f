import { DomainError } from '../../lib/domain-error.ts';
import type { Resources } from '../../resources.ts';
import { lockInUse } from './in-use.ts';
import { assertPending } from './link.ts';
import { move } from './move.ts';
import { selectLink } from './store.ts';
import { otherSide } from './tell.ts';

/**
 * The owner of the linked tag consents to a link that asks for her consent, or declines it, in person; the caller has her
 * proof. The application that started the link is told, and has nothing more to do.
 *
 * @throws DomainError LINK_NOT_FOUND, also for another method; LINK_EXPIRED, LINK_NOT_PENDING, TAG_SUSPENDED
 */
export async function answerLinkInPerson(
  { db, clock, wake }: Pick<Resources, 'db' | 'clock' | 'wake'>,
  linkId: string,
  answer: 'approve' | 'decline',
): Promise<void> {
  const now = clock.now();
  const found = await selectLink(db, linkId);
  if (found?.link.method !== 'CONSENT') throw new DomainError('LINK_NOT_FOUND', 'there is no such link to consent to');
  const { link, linked, linkedApp } = found;
  const change = { id: link.id, now, told: otherSide(linkedApp) };
  await db.transaction(async (tx) => {
    if (answer === 'approve') await lockInUse(tx, link);
    const next =
      answer === 'approve'
        ? { next: 'VERIFIED' as const, verifiedBy: `${linked.handle}@${linkedApp.namespace}` }
        : { next: 'REJECTED' as const };
    await move(tx, { ...change, ...next }, (row) => assertPending(now, row));
  });
  wake();
}
