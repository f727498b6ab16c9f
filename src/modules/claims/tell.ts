import type { Tx } from '#lib/database.ts';
import { emit } from '#modules/outbox';
import type { Claim } from './claim.ts';
import type { ClaimParts } from './store.ts';

/** What the applications are told of a claim. */
export type ConsentEvent =
  | 'CONSENT_REQUESTED'
  | 'CONSENT_CONFIRMED'
  | 'CONSENT_APPROVED'
  | 'CONSENT_REJECTED'
  | 'CONSENT_CANCELLED'
  | 'CONSENT_EXPIRED'
  | 'CONSENT_REVOKED';

/**
 * Tells applications what became of a claim, in the transaction in which it did. The body is
 * `{event, reference, data}`, the reference the claim's id. Wake the worker after the commit.
 */
export async function tell(tx: Tx, event: ConsentEvent, claim: Claim, applicationIds: Iterable<string>): Promise<void> {
  const body = JSON.stringify({ event, reference: claim.id, data: claim });
  for (const ownerId of new Set(applicationIds)) await emit(tx, { ownerId, event, reference: claim.id, body });
}

type Sides = Pick<ClaimParts, 'claim' | 'ownerApp'>;

/** Whose consent is asked for, and who asks. */
export const bothSides = ({ ownerApp, claim }: Sides): string[] => [ownerApp.id, claim.requestedByAppId];

/** The application on the other side of a claim than this one; both sides may be one. */
export const otherSide =
  (actor: { id: string }) =>
  ({ ownerApp, claim }: Sides): string[] => [actor.id === ownerApp.id ? claim.requestedByAppId : ownerApp.id];
