import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomDigits } from '#lib/random.ts';
import { type AuthenticatedApplication, assertReturnUrl, payTagApplicationId } from '#modules/clients';
import { findCustomer } from '#modules/customers';
import {
  addressFor,
  type CodeLimits,
  channelsTo,
  codeDigest,
  linkingCodeThrottle,
  sendCode,
  type Throttles,
} from '#modules/limits';
import { findTag } from '#modules/tags';
import type { MessagingProvider } from '../../providers/messaging/port.ts';
import { approvalUrlOf } from './answer-link.ts';
import { expireLocked } from './end-link.ts';
import { assertLink, codePurpose, type Link, lockActivePair, macOfLink, publishChallenge, toLink } from './link.ts';
import {
  deleteUnsent,
  ensureFederation,
  insertLink,
  lockOverdueBetween,
  newLinkId,
  selectFederation,
  selectLink,
  selectLinksOf,
  selectLinksTo,
  type TagPair,
} from './link-store.ts';
import { readVerificationMethod, type VerificationMethod } from './states.ts';

/** How long the linked side has to confirm a link. */
const LINK_TTL_MS = 10 * 60 * 1000;
/** Challenges from one application to one tag, so that none floods the application of the tag. */
const CHALLENGES = { name: 'challenges', points: 100, windowS: 24 * 60 * 60 };
/** Digits of a code for an application; a customer's has six. */
const APPLICATION_CODE_DIGITS = 12;
/** The most links in one answer. */
const LINKS_MAX = 1_000;

type ReadDeps = { db: Database; keyring: Keyring; clock: Clock; publicUrl: string };
type Deps = ReadDeps & {
  metrics: Meter;
  transact: Transact;
  messaging: MessagingProvider;
  throttles: Throttles;
  limits: CodeLimits;
};

/** A tag and its links. */
export interface Federation {
  id: string;
  primaryTag: string;
  /** Newest first. */
  links: Link[];
  createdAt: Date;
}

/**
 * Starts a link from one of the caller's tags to another tag. The challenge goes to the other side alone: to its
 * application, or as a code to the customer whose PayTag it is. At most one link between two tags is open, whichever side started it.
 *
 * @param request.address the address of the primary tag, the caller's own
 * @param request.returnUrl a page that the application has registered, to which the approval page leads the customer back
 * @throws DomainError TAG_NOT_FOUND, NOT_PERMITTED, INVALID_PARAMETER, RETURN_URL_NOT_REGISTERED, SELF_FEDERATION, TAG_SUSPENDED, LINK_EXISTS,
 *   TOO_MANY_REQUESTS; for a customer also OTP_CHANNEL_UNAVAILABLE, MESSAGING_PROVIDER_UNAVAILABLE
 */
export async function initiateFederation(
  deps: Deps,
  caller: AuthenticatedApplication,
  request: { address: string; secondaryTag: string; verificationMethod: string; returnUrl?: string | undefined },
): Promise<Federation> {
  const pair = await findPair(deps, caller, request);
  const method = readVerificationMethod(request.verificationMethod);
  if (method === undefined) {
    throw new DomainError('INVALID_PARAMETER', 'verificationMethod: must be OTP, CONSENT or ATTESTATION');
  }
  const { returnUrl } = request;
  if (returnUrl !== undefined) await assertReturnUrl(deps, caller.id, returnUrl);
  if (method === 'OTP' && pair.customerId !== undefined) await challengeCustomer(deps, pair, pair.customerId);
  else {
    await deps.throttles.take(CHALLENGES, JSON.stringify([caller.id, pair.linkedTagId]));
    const token = method === 'OTP' ? randomDigits(APPLICATION_CODE_DIGITS) : undefined;
    await deps.transact(async (tx) => {
      const link = await selectLink(tx, await openLink(tx, deps, { pair, method, token, returnUrl }));
      if (link !== undefined) await publishChallenge(tx, link, token);
    });
  }
  return readFederation(deps, pair.primaryTagId);
}

/**
 * The federation of a tag with the links that an application may see: the application of the tag's owner all of them,
 * another those to tags of its own.
 *
 * @throws DomainError TAG_NOT_FOUND; FEDERATION_NOT_FOUND, also when there is no such link
 */
export async function getFederation(
  deps: ReadDeps,
  caller: AuthenticatedApplication,
  address: string,
): Promise<Federation> {
  const found = await findTag(deps.db, deps.keyring, address);
  if (found === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  return readFederation(deps, found.tag.id, found.ownerApp.id === caller.id ? undefined : caller.id);
}

/**
 * @param linkedAppId shows the links to this application's tags only; all of them without it
 * @throws DomainError FEDERATION_NOT_FOUND when there is nothing to show; AlteredRecord
 */
async function readFederation(deps: ReadDeps, primaryTagId: string, linkedAppId?: string): Promise<Federation> {
  const { db, clock } = deps;
  const all = { primaryTagId, limit: LINKS_MAX };
  const [federation, parts] = await Promise.all([
    selectFederation(db, primaryTagId),
    linkedAppId === undefined ? selectLinksOf(db, all) : selectLinksTo(db, { ...all, linkedAppId }),
  ]);
  const [first] = parts;
  if (federation === undefined || first === undefined) {
    throw new DomainError('FEDERATION_NOT_FOUND', 'nothing of yours is linked to this tag');
  }
  for (const { link } of parts) assertLink(deps.keyring, link);
  const now = clock.now();
  return {
    id: federation.id,
    primaryTag: first.primary.handle,
    links: parts.map((one) => toLink(now, one, approvalUrlOf(deps, one))),
    createdAt: federation.createdAt,
  };
}

/** Two tags that are to be linked. */
interface NewPair extends TagPair {
  primaryAppId: string;
  /** `ada@acme` */
  primaryAddress: string;
  linkedAppId: string;
  /** The customer whose PayTag the linked tag is. */
  customerId: string | undefined;
}

/** The two tags, of which the first must be the caller's. */
async function findPair(
  { db, keyring }: ReadDeps,
  caller: AuthenticatedApplication,
  { address, secondaryTag }: { address: string; secondaryTag: string },
): Promise<NewPair> {
  const primary = await findTag(db, keyring, address);
  if (primary === undefined) throw new DomainError('TAG_NOT_FOUND', 'no tag has this address');
  if (primary.ownerApp.id !== caller.id) {
    throw new DomainError('NOT_PERMITTED', 'this tag belongs to another application');
  }
  const linked = await findTag(db, keyring, secondaryTag);
  if (linked === undefined) throw new DomainError('TAG_NOT_FOUND', 'secondaryTag: no tag has this address');
  if (linked.tag.id === primary.tag.id) throw new DomainError('SELF_FEDERATION', 'secondaryTag: is the same tag');
  return {
    primaryTagId: primary.tag.id,
    primaryAppId: caller.id,
    primaryAddress: `${primary.tag.handle}@${primary.ownerApp.namespace}`,
    linkedTagId: linked.tag.id,
    linkedAppId: linked.ownerApp.id,
    customerId: linked.ownerApp.id === payTagApplicationId ? linked.owner.externalId : undefined,
  };
}

/** Sends the code to the contact on record, the phone first. A link whose code cannot be sent is deleted. */
async function challengeCustomer(deps: Deps, pair: NewPair, customerId: string): Promise<void> {
  const addresses = (await findCustomer(deps.db, deps.keyring, customerId))?.proven ?? {};
  const [channel] = channelsTo(addresses);
  if (channel === undefined) throw unreachable();
  await sendCode(deps, {
    channel,
    to: addressFor(addresses, channel),
    about: `link your PayTag to ${pair.primaryAddress}`,
    throttle: linkingCodeThrottle(deps, { requesterId: pair.primaryAppId, person: `customer:${customerId}` }),
    reserve: (tx, token) => openLink(tx, deps, { pair, method: 'OTP', token }),
    undo: (linkId) => deleteUnsent(deps.db, linkId),
    addressRefused: unreachable,
  });
}

const unreachable = (cause?: unknown) =>
  new DomainError('OTP_CHANNEL_UNAVAILABLE', 'secondaryTag: its owner cannot be sent a code: ask for CONSENT', {
    cause,
  });

/** @returns the new link's id */
async function openLink(
  tx: Tx,
  { keyring, clock }: Deps,
  {
    pair,
    method,
    token,
    returnUrl = null,
  }: { pair: NewPair; method: VerificationMethod; token: string | undefined; returnUrl?: string | null | undefined },
): Promise<string> {
  const now = clock.now();
  const { primaryTagId, primaryAppId, linkedTagId, linkedAppId } = pair;
  await lockActivePair(tx, pair);
  // Lock order: the federation before a link of it.
  const { id: federationId } = await ensureFederation(tx, primaryTagId, now);
  for (const overdue of await lockOverdueBetween(tx, pair, now)) await expireLocked(tx, overdue, now);
  const id = await newLinkId(tx);
  const tags = { primaryTagId, primaryAppId, linkedTagId, linkedAppId };
  const named = { id, federationId, ...tags, method, returnUrl };
  const isNew = await insertLink(tx, {
    ...named,
    routingMac: macOfLink(keyring, { ...named, verifiedAt: null, verifiedBy: null }),
    tokenDigest: token === undefined ? null : codeDigest(keyring, codePurpose(id), token),
    expiresAt: new Date(now.getTime() + LINK_TTL_MS),
    createdAt: now,
  });
  if (!isNew) throw new DomainError('LINK_EXISTS', 'there is a link between these two tags already');
  return id;
}
