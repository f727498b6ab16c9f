import type { Tx } from '#lib/postgres/executor.ts';
import { emit } from '#modules/outbox';
import { type Claim, type ClaimReadDeps, toClaim } from './claim.ts';
import type { ClaimState } from './claim-state.ts';
import { type ClaimParts, selectById } from './claim-store.ts';
import { updateState } from './transition-store.ts';

const events = {
  APPROVED: 'CONSENT_APPROVED',
  REJECTED: 'CONSENT_REJECTED',
  CANCELLED: 'CONSENT_CANCELLED',
  EXPIRED: 'CONSENT_EXPIRED',
  REVOKED: 'CONSENT_REVOKED',
} as const satisfies Record<Exclude<ClaimState, 'PENDING'>, string>;

type ConsentEvent = 'CONSENT_REQUESTED' | 'CONSENT_CONFIRMED' | (typeof events)[keyof typeof events];

interface Transition {
  id: string;
  next: keyof typeof events;
  now: Date;
  /** Of an approved one. */
  routingMac?: Buffer;
  /** The ids of the applications that get the event. */
  recipients: (parts: ClaimParts) => string[];
}

/**
 * Gives a claim a state and publishes it. When several try at once, one does; for the others `refuse` is called with the
 * claim as it is now, and must throw.
 */
export async function transitionClaim(
  tx: Tx,
  deps: Omit<ClaimReadDeps, 'db'>,
  { id, next, now, routingMac, recipients }: Transition,
  refuse: (claim: ClaimParts['claim']) => void,
): Promise<Claim> {
  const [isDone, parts] = await Promise.all([updateState(tx, { id, next, now, routingMac }), selectById(tx, id)]);
  if (parts === undefined) throw new Error('a claim is never deleted');
  if (!isDone) {
    refuse(parts.claim);
    throw new Error(`a claim that is ${parts.claim.state} did not become ${next}`);
  }
  const claim = toClaim(deps, parts);
  await publish(tx, events[next], claim, recipients(parts));
  return claim;
}

/**
 * Publishes an event of a claim to applications, in the transaction that causes it. The body is `{event, reference, data}`; the
 * reference is the claim's id. The data has all members of a Claim: a text without a value is empty, a date without one left out.
 */
export async function publish(tx: Tx, event: ConsentEvent, claim: Claim, recipients: Iterable<string>): Promise<void> {
  const { consentToken = '', approvalUrl = '' } = claim;
  const body = JSON.stringify({ event, reference: claim.id, data: { ...claim, consentToken, approvalUrl } });
  for (const ownerId of new Set(recipients)) await emit(tx, { ownerId, event, reference: claim.id, body });
}

type Sides = Pick<ClaimParts, 'claim' | 'ownerApp'>;

/** The application of the tag's owner and the one that asked. */
export const bothSides = ({ ownerApp, claim }: Sides): string[] => [ownerApp.id, claim.requestedByAppId];

/** The other of the two than this one; both may be one. */
export const otherSide =
  (actor: { id: string }) =>
  ({ ownerApp, claim }: Sides): string[] => [actor.id === ownerApp.id ? claim.requestedByAppId : ownerApp.id];
