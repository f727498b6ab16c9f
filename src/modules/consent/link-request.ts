import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { effectiveStatus, findTag } from '#modules/tags';
import { type AuthenticationMethods, authenticationMethods, type TagOwner, toTagOwner } from './challenge.ts';
import { FAILURES_MAX, isForCustomer, linkExpired, statusAt } from './link.ts';
import { assertLink } from './link-route.ts';
import type { LinkStatus } from './link-status.ts';
import { type LinkParts, selectLink } from './link-store.ts';

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
  /** Nothing can be agreed on the PayTag for now. */
  isSuspended: boolean;
  authenticationMethods: AuthenticationMethods;
  /** How often somebody can still try to prove that the PayTag is theirs. */
  attemptsLeft: number;
  /** Where the application wants the customer led back to, while it is active. */
  returnUrl: string | undefined;
}

/** A link that asks for a customer's consent, and whose PayTag is to be linked. */
export interface RequestedLink extends LinkParts {
  owner: TagOwner;
  address: string;
  isSuspended: boolean;
}

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/**
 * What an approval token stands for: who asks, for which two tags, until when. Reading it changes nothing, however often
 * a link is fetched.
 *
 * @throws DomainError LINK_NOT_FOUND; LINK_EXPIRED for one that nobody answered in time
 */
export async function openLinkRequest(deps: Deps, approvalToken: string): Promise<LinkRequest> {
  const requested = await findRequested(deps, approvalToken);
  const { link, primary, primaryApp, linked, address, owner } = requested;
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
    isSuspended: requested.isSuspended,
    authenticationMethods: await authenticationMethods(deps, requested),
    attemptsLeft: FAILURES_MAX - link.proofAttempts,
    returnUrl: primaryApp.status === 'ACTIVE' ? (link.returnUrl ?? undefined) : undefined,
  };
}

/** @throws DomainError LINK_NOT_FOUND, also when the PayTag is closed; AlteredRecord */
export async function findRequested(
  { db, keyring }: Pick<Deps, 'db' | 'keyring'>,
  approvalToken: string,
): Promise<RequestedLink> {
  const linkId = linkIdOf(keyring, approvalToken);
  const parts = linkId === undefined ? undefined : await selectLink(db, linkId);
  const address = parts && `${parts.linked.handle}@${parts.linkedApp.namespace}`;
  const tag = address === undefined ? undefined : await findTag(db, keyring, address);
  if (parts === undefined || address === undefined || tag?.tag.id !== parts.link.linkedTagId) throw notFound();
  if (!isForCustomer(parts.link)) throw notFound();
  assertLink(keyring, parts.link);
  const isSuspended = effectiveStatus(tag.tag.status, tag.ownerApp.status) !== 'ACTIVE';
  return { ...parts, address, isSuspended, owner: toTagOwner(tag) };
}

const notFound = () =>
  new DomainError('LINK_NOT_FOUND', 'there is no such link to consent to: ask the application that sent you here');

/** An approval token is a link's id and its signature, in base64url, so that nothing is stored for it. */
const TOKEN = /^[\w-]{64}$/;
const ID_BYTES = 16;

const PURPOSE = 'federation.approval';

/** Where a customer consents to a link, while it waits for them. It gives no power without their proof. */
export function approvalUrlOf(
  { keyring, clock, publicUrl }: { keyring: Keyring; clock: Clock; publicUrl: string },
  { link }: LinkParts,
): string | undefined {
  if (!isForCustomer(link) || statusAt(clock.now(), link) !== 'PENDING') return undefined;
  const id = Buffer.from(link.id.replaceAll('-', ''), 'hex');
  const token = Buffer.concat([id, keyring.sign(PURPOSE, id.toString('hex'))]).toString('base64url');
  return `${publicUrl}/api/v1/federation/${token}`;
}

/** The id of the link that a token was made for; undefined for a token that we did not make. */
function linkIdOf(keyring: Keyring, approvalToken: string): string | undefined {
  if (!TOKEN.test(approvalToken)) return undefined;
  const bytes = Buffer.from(approvalToken, 'base64url');
  const id = bytes.subarray(0, ID_BYTES);
  if (!keyring.verifies(PURPOSE, id.toString('hex'), bytes.subarray(ID_BYTES))) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
