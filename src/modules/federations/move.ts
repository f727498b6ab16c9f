import type { Tx } from '#lib/database.ts';
import { type Link, toLink } from './link.ts';
import type { LinkStatus } from './link-status.ts';
import { type LinkParts, type LinkRow, moveLink, selectLink } from './store.ts';
import { type FederationEvent, tellMove } from './tell.ts';

const events = {
  VERIFIED: 'FEDERATION_VERIFIED',
  REJECTED: 'FEDERATION_REJECTED',
  FAILED: 'FEDERATION_FAILED',
  EXPIRED: 'FEDERATION_EXPIRED',
  REVOKED: 'FEDERATION_REVOKED',
} as const satisfies Record<Exclude<LinkStatus, 'PENDING'>, FederationEvent>;

/** Where a link is to go, and whom that is told. */
export interface Move {
  id: string;
  next: keyof typeof events;
  now: Date;
  /** Who verified it, for that move alone. */
  verifiedBy?: string | undefined;
  told: (parts: LinkParts) => string[];
}

/**
 * Moves a link and tells the applications named. Of any number at once, one moves it; for the others `refuse` is given
 * the link as it is now, and must throw.
 */
export async function move(tx: Tx, { id, told, ...change }: Move, refuse: (link: LinkRow) => void): Promise<Link> {
  const moved = await moveLink(tx, id, change);
  const parts = await selectLink(tx, id);
  if (parts === undefined) throw new Error('a link that somebody saw is never deleted');
  if (!moved) {
    refuse(parts.link);
    throw new Error(`a link that is ${parts.link.status} did not become ${change.next}`);
  }
  await tellMove(tx, events[change.next], parts, told(parts));
  return toLink(change.now, parts);
}
