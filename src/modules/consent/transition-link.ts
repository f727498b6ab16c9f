import type { Tx } from '#lib/postgres/executor.ts';
import { emit } from '#modules/outbox';
import { assertPending, type Link, toLink } from './link.ts';
import type { Verification } from './link-route.ts';
import type { LinkStatus } from './link-status.ts';
import { type LinkParts, type LinkRow, selectLink, updateStatus } from './link-store.ts';

const events = {
  VERIFIED: 'FEDERATION_VERIFIED',
  REJECTED: 'FEDERATION_REJECTED',
  FAILED: 'FEDERATION_FAILED',
  EXPIRED: 'FEDERATION_EXPIRED',
  REVOKED: 'FEDERATION_REVOKED',
} as const satisfies Record<Exclude<LinkStatus, 'PENDING'>, string>;

/** Where a link is to go, and which applications the event goes to. */
export interface Transition {
  id: string;
  next: keyof typeof events;
  now: Date;
  /** For that transition alone. */
  verification?: Verification | undefined;
  recipients: (parts: LinkParts) => string[];
}

/**
 * Takes a link to another status and publishes it. Of any number at once, one does; for the others `refuse` is given the
 * link as it is now, and must throw.
 *
 * @throws DomainError LINK_EXPIRED, LINK_NOT_PENDING, or what `refuse` says
 */
export async function transitionLink(
  tx: Tx,
  { id, recipients, ...change }: Transition,
  refuse: (link: LinkRow) => void = (link) => assertPending(change.now, link),
): Promise<Link> {
  const [isDone, parts] = await Promise.all([updateStatus(tx, id, change), selectLink(tx, id)]);
  if (parts === undefined) throw new Error('a link that somebody saw is never deleted');
  if (!isDone) {
    refuse(parts.link);
    throw new Error(`a link that is ${parts.link.status} did not become ${change.next}`);
  }
  const { status, verifiedBy } = parts.link;
  const data = { ...namesOf(parts), status, verifiedBy: verifiedBy ?? '' };
  await publish(tx, events[change.next], id, data, recipients(parts));
  return toLink(change.now, parts);
}

/** Asks the linked side alone to confirm a link; with the code, where there is one. */
export async function publishChallenge(tx: Tx, parts: LinkParts, token = ''): Promise<void> {
  const { id, expiresAt, linkedAppId } = parts.link;
  await publish(tx, 'FEDERATION_CHALLENGE', id, { ...namesOf(parts), token, expiresAt }, [linkedAppId]);
}

const namesOf = ({ link, primary, linked }: LinkParts) => ({
  linkId: link.id,
  primaryTag: primary.handle,
  secondaryTag: linked.handle,
  verificationMethod: link.method,
});

/** In the transaction of what it reports. The body is `{event, reference, data}`, the reference the link's id. */
async function publish(tx: Tx, event: string, reference: string, data: object, recipients: string[]): Promise<void> {
  const body = JSON.stringify({ event, reference, data });
  for (const ownerId of new Set(recipients)) await emit(tx, { ownerId, event, reference, body });
}

/** Both applications of a link: the one that started it, and the linked tag's. */
export const bothSides = ({ link }: Pick<LinkParts, 'link'>): string[] => [link.primaryAppId, link.linkedAppId];

/** The application on the other side of a link than this one; both sides may be one. */
export const otherSide =
  (actor: { id: string }) =>
  ({ link }: Pick<LinkParts, 'link'>): string[] => [
    actor.id === link.primaryAppId ? link.linkedAppId : link.primaryAppId,
  ];
