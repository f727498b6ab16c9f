import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import {
  type AuthenticationMethods,
  authenticationMethods,
  type Challenge,
  sendOwnerCode,
  type TagOwner,
  toTagOwner,
} from '#modules/owner-proofs';
import { effectiveStatus, findTag } from '#modules/tags';
import type { Throttles } from '#modules/throttles';
import type { Channel, MessagingProvider } from '../../providers/messaging/port.ts';
import { linkIdOf } from './approval-token.ts';
import { assertPending, FAILURES_MAX, isForCustomer, linkExpired, statusAt } from './link.ts';
import type { LinkStatus } from './link-status.ts';
import { type LinkParts, selectLink } from './store.ts';

/** A link that asks for a customer's consent, as whoever has its approval token may see it. */
export interface LinkRequest {
  linkId: string;
  requestedByAppId: string;
  requestedByAppName: string;
  primaryTag: string;
  /** `ada@acme` */
  primaryAddress: string;
  /** The customer's PayTag. */
  tagString: string;
  qualifiedAddress: string;
  status: Exclude<LinkStatus, 'EXPIRED'>;
  requestedAt: Date;
  expiresAt: Date;
  owner: TagOwner;
  /** Nothing can be agreed on her PayTag for now. */
  isSuspended: boolean;
  ways: AuthenticationMethods;
  /** How often somebody can still try to prove that the PayTag is hers. */
  attemptsLeft: number;
}

/** A link, and the customer whose PayTag is to be linked. */
interface Asked extends LinkParts {
  owner: TagOwner;
  address: string;
  isSuspended: boolean;
}

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/** @throws DomainError LINK_NOT_FOUND, also when her PayTag is closed */
export async function findAsked({ db, keyring }: Pick<Deps, 'db' | 'keyring'>, approvalToken: string): Promise<Asked> {
  const linkId = linkIdOf(keyring, approvalToken);
  const parts = linkId === undefined ? undefined : await selectLink(db, linkId);
  const address = parts && `${parts.linked.handle}@${parts.linkedApp.namespace}`;
  const tag = address === undefined ? undefined : await findTag(db, address);
  if (parts === undefined || address === undefined || tag?.tag.id !== parts.link.linkedTagId) throw notFound();
  if (!isForCustomer(parts.link)) throw notFound();
  const isSuspended = effectiveStatus(tag.tag.status, tag.ownerApp.status) !== 'ACTIVE';
  return { ...parts, address, isSuspended, owner: toTagOwner(tag) };
}

const notFound = () =>
  new DomainError('LINK_NOT_FOUND', 'there is no such link to consent to: ask the application that sent you here');

export const challengeOf = ({ link, primary, primaryApp, linked, owner }: Asked): Challenge => ({
  purpose: `federation:${link.id}`,
  about: `approve or decline that @${linked.handle} is linked to ${primary.handle}@${primaryApp.namespace}`,
  tag: linked.handle,
  owner,
  requesterId: link.primaryAppId,
  expiresAt: link.expiresAt,
});

/**
 * What an approval token stands for: who asks, for which two tags, until when. Reading it changes nothing, however often
 * a link is fetched.
 *
 * @throws DomainError LINK_NOT_FOUND; LINK_EXPIRED for one that nobody answered in time
 */
export async function openLinkRequest(deps: Deps, approvalToken: string): Promise<LinkRequest> {
  const asked = await findAsked(deps, approvalToken);
  const { link, primary, primaryApp, linked, address, owner } = asked;
  const status = statusAt(deps.clock.now(), link);
  if (status === 'EXPIRED') throw linkExpired();
  return {
    linkId: link.id,
    requestedByAppId: primaryApp.id,
    requestedByAppName: primaryApp.name,
    primaryTag: primary.handle,
    primaryAddress: `${primary.handle}@${primaryApp.namespace}`,
    tagString: linked.handle,
    qualifiedAddress: address,
    status,
    requestedAt: link.createdAt,
    expiresAt: link.expiresAt,
    owner,
    isSuspended: asked.isSuspended,
    ways: await authenticationMethods(deps, asked),
    attemptsLeft: FAILURES_MAX - link.proofAttempts,
  };
}

/**
 * Sends the customer a code to prove herself by on the page.
 *
 * @throws DomainError LINK_NOT_FOUND, LINK_EXPIRED, LINK_NOT_PENDING, and as `sendOwnerCode`
 */
export async function sendLinkCode(
  deps: Deps & { transact: Transact; messaging: MessagingProvider; throttles: Throttles },
  approvalToken: string,
  channel: Channel,
): Promise<void> {
  const asked = await findAsked(deps, approvalToken);
  assertPending(deps.clock.now(), asked.link);
  await sendOwnerCode(deps, challengeOf(asked), channel);
}
