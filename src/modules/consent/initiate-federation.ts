import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { randomDigits } from '#lib/random.ts';
import { type AuthenticatedApplication, assertReturnUrl } from '#modules/clients';
import { findCustomer } from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { addressFor, type CodeLimits, channelsTo, codeDigest, linkingCodeThrottle, sendCode } from '#modules/limits';
import type { MessagingProvider } from '../../providers/messaging/port.ts';
import { expireLocked } from './expire-links.ts';
import { readFederation } from './get-federation.ts';
import { codePurpose, type Federation } from './link.ts';
import { macOfLink } from './link-route.ts';
import { deleteUnsent, ensureFederation, insertLink, newLinkId, selectLink } from './link-store.ts';
import { lockOverdue } from './lock-store.ts';
import { findPair, lockActivePair, type NewPair } from './tag-pair.ts';
import { publishChallenge } from './transition-link.ts';
import { readVerificationMethod, type VerificationMethod } from './verification-method.ts';

/** How long the linked side has to confirm a link. */
const LINK_TTL_MS = 10 * 60 * 1000;
/** So that nobody floods the application of a tag: challenges to one tag from one application. */
const CHALLENGES = { name: 'challenges', points: 100, windowS: 24 * 60 * 60 };
/** Digits of a code that an application is sent; a customer's has six. */
const APPLICATION_CODE_DIGITS = 12;

type Deps = {
  metrics: Meter;
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  messaging: MessagingProvider;
  throttles: Throttles;
  limits: CodeLimits;
  publicUrl: string;
};

export interface FederationRequest {
  /** The address of the primary tag, the caller's own. */
  address: string;
  secondaryTag: string;
  verificationMethod: string;
  /** A page that the application has registered, to which the approval page leads the customer back. */
  returnUrl?: string | undefined;
}

/**
 * Starts the linking of another tag to one of the caller's. The challenge goes to the other side alone: to its
 * application, or to the customer whose PayTag it is, who is sent a code. Of any number at once between two tags, from
 * whichever side, one is started.
 *
 * @throws DomainError TAG_NOT_FOUND, NOT_PERMITTED, INVALID_PARAMETER, RETURN_URL_NOT_REGISTERED, SELF_FEDERATION, TAG_SUSPENDED, LINK_EXISTS,
 *   TOO_MANY_REQUESTS; of a customer also OTP_CHANNEL_UNAVAILABLE, MESSAGING_PROVIDER_UNAVAILABLE
 */
export async function initiateFederation(
  deps: Deps,
  caller: AuthenticatedApplication,
  request: FederationRequest,
): Promise<Federation> {
  const pair = await findPair(deps.db, deps.keyring, caller, request);
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

/** Sends the code to the contact on record, the phone first. Where it cannot be sent, the link is taken back. */
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
  // Before the link that is in the way: whoever waits for a link holds its federation, and nobody the other way round.
  const { id: federationId } = await ensureFederation(tx, primaryTagId, now);
  for (const overdue of await lockOverdue(tx, { now, limit: 1, pair })) await expireLocked(tx, overdue, now);
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
