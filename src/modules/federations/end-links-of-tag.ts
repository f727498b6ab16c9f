import type { Tx } from '#lib/database.ts';
import { statusAt } from './link.ts';
import type { LinkStatus } from './link-status.ts';
import { move } from './move.ts';
import { lockOpenOfTag } from './store.ts';
import { bothSides } from './tell.ts';

/**
 * Revokes what is open on a tag that is closed, on whichever side of a link it stands, and tells both sides. The caller
 * has locked the tag, so that nothing new is agreed meanwhile.
 */
export async function endLinksOfTag(tx: Tx, tagId: string, now: Date): Promise<void> {
  for (const link of await lockOpenOfTag(tx, tagId)) {
    const status: LinkStatus = statusAt(now, link);
    const next = status === 'EXPIRED' ? ('EXPIRED' as const) : ('REVOKED' as const);
    await move(tx, { id: link.id, next, now, told: bothSides }, () => undefined);
  }
}
