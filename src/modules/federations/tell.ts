import type { Tx } from '#lib/database.ts';
import { emit } from '#modules/outbox';
import type { LinkParts } from './store.ts';

/** What the applications are told of a link. */
export type FederationEvent =
  | 'FEDERATION_CHALLENGE'
  | 'FEDERATION_VERIFIED'
  | 'FEDERATION_REJECTED'
  | 'FEDERATION_FAILED'
  | 'FEDERATION_EXPIRED'
  | 'FEDERATION_REVOKED';

/**
 * Tells applications what became of a link, in the transaction in which it did. The body is `{event, reference, data}`,
 * the reference the link's id. Wake the worker after the commit.
 */
async function tell(tx: Tx, event: FederationEvent, reference: string, data: object, applicationIds: string[]) {
  const body = JSON.stringify({ event, reference, data });
  for (const ownerId of new Set(applicationIds)) await emit(tx, { ownerId, event, reference, body });
}

const namesOf = ({ link, primary, linked }: LinkParts) => ({
  linkId: link.id,
  primaryTag: primary.handle,
  secondaryTag: linked.handle,
  verificationMethod: link.method,
});

/** Tells the linked side, and nobody else, what it is asked; with the code, where there is one. */
export async function tellChallenge(tx: Tx, parts: LinkParts, token: string | undefined): Promise<void> {
  const { id, expiresAt, linkedAppId } = parts.link;
  await tell(tx, 'FEDERATION_CHALLENGE', id, { ...namesOf(parts), token, expiresAt }, [linkedAppId]);
}

/** Tells applications where a link has moved. */
export async function tellMove(tx: Tx, event: FederationEvent, parts: LinkParts, told: string[]): Promise<void> {
  const { id, status, verifiedBy } = parts.link;
  await tell(tx, event, id, { ...namesOf(parts), status, verifiedBy: verifiedBy ?? undefined }, told);
}

/** Who started the link, and whom it is to. */
export const bothSides = ({ link }: Pick<LinkParts, 'link'>): string[] => [link.primaryAppId, link.linkedAppId];

/** The application on the other side of a link than this one; both sides may be one. */
export const otherSide =
  (actor: { id: string }) =>
  ({ link }: Pick<LinkParts, 'link'>): string[] => [
    actor.id === link.primaryAppId ? link.linkedAppId : link.primaryAppId,
  ];
