import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { concerning } from '#lib/security-events.ts';
import { addressBlock } from '#lib/text/parse.ts';
import { findSubject, payTagApplicationId, toSubject } from '#modules/clients';
import { approvalPageShare, dummyPasswordHash, findCustomer, isFrozen, verifyPassword } from '#modules/customers';
import {
  addressFor,
  assertMaySend,
  type CodeLimits,
  type Count,
  checkCode,
  codeDigest,
  codeThrottle,
  countSend,
  sendCode,
  type Throttles,
} from '#modules/limits';
import { approvalPageThrottle } from '#modules/sessions';
import { parseHandle } from '#modules/tags';
import type { Channel, MessagingProvider } from '../../providers/messaging/port.ts';
import {
  lockIfAny,
  lockOwnerCode,
  openUntil,
  undoOwnerCode,
  updateOwnerCode,
  voidOwnerCode,
} from './owner-code-store.ts';

type ReadDeps = { db: Database; keyring: Keyring };

type CodeDeps = ReadDeps & {
  metrics: Meter;
  transact: Transact;
  clock: Clock;
  throttles: Throttles;
  limits: CodeLimits;
};

export type SendDeps = CodeDeps & { messaging: MessagingProvider };

/** With the number of wrong proofs that may come from one address, for any tags; 0: any number. */
export type ProveDeps = CodeDeps & { limits: { wrongProofsPerH: number } };

/** The owner of a tag: a customer, whose PayTag it is, or the subject of another application. */
export interface TagOwner {
  isCustomer: boolean;
  applicationId: string;
  applicationName: string;
  subjectId: string;
  /** The application's name for the owner; of a customer, the customer's id. */
  externalId: string;
}

/** The owner of a tag that was read with its owner and their application. */
export const toTagOwner = ({
  owner,
  ownerApp,
}: {
  owner: { id: string; externalId: string };
  ownerApp: { id: string; name: string };
}): TagOwner => ({
  isCustomer: ownerApp.id === payTagApplicationId,
  applicationId: ownerApp.id,
  applicationName: ownerApp.name,
  subjectId: owner.id,
  externalId: owner.externalId,
});

/** The answers of an owner who has proved that the tag is theirs. */
export const answers = ['approve', 'decline'] as const;
export type Answer = (typeof answers)[number];

/** What a proof is asked for: that somebody owns this tag, for one purpose. */
export interface Challenge {
  /** E.g. `consent:` and its id. A code for one purpose proves nothing for another. */
  purpose: string;
  /** What the code does, after `to`: the message says to its reader what they answer. */
  about: string;
  /** The tag's handle. */
  tag: string;
  owner: TagOwner;
  /** The application that asks for the proof. */
  requesterId: string;
  /** When the purpose expires. */
  expiresAt: Date;
}

/** How an owner can prove that a tag is theirs. */
export interface AuthenticationMethods {
  password: boolean;
  /** The channels by which a code can be sent. */
  channels: readonly Channel[];
}

/**
 * The methods that are open to a tag's owner. For a PayTag all of them, whatever is on record of its owner: any
 * application can ask, and must learn nothing about a customer from the answer.
 */
export async function authenticationMethods(deps: ReadDeps, owner: TagOwner): Promise<AuthenticationMethods> {
  if (owner.isCustomer) return { password: true, channels: ['sms', 'whatsapp', 'email'] };
  return { password: false, channels: (await emailOfSubject(deps, owner)) === undefined ? [] : ['email'] };
}

/** Evidence that somebody owns a tag. */
export type Proof = ({ by: 'PASSWORD'; paytag: string; password: string } | { by: 'OTP'; code: string }) & {
  /** The IP address of the request. */
  address: string;
};

/** The refusals of a proof that was checked and is wrong. */
const WRONG_PROOF = new Set(['INVALID_CUSTOMER_CREDENTIALS', 'OTP_INVALID', 'OTP_EXPIRED']);

/** Whether a proof was checked and is wrong. */
export const isWrongProof = (error: unknown): boolean => error instanceof DomainError && WRONG_PROOF.has(error.code);

/**
 * Checks a proof of a tag's ownership. A code is used up by it. A wrong PayTag and a wrong password are refused alike, after
 * the same work.
 *
 * @param takeAttempt counts an attempt on the purpose, before the proof is checked, and throws when none is left
 * @returns the kind of proof
 * @throws DomainError INVALID_CUSTOMER_CREDENTIALS, OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, BUSY
 */
export async function proveOwner(
  deps: ProveDeps,
  challenge: Challenge,
  proof: Proof,
  takeAttempt: () => Promise<void>,
): Promise<Proof['by']> {
  if (challenge.owner.isCustomer) concerning({ customerId: challenge.owner.externalId });
  const fromAddress: Count = [
    {
      name: 'wrong answers',
      event: 'login_throttled',
      points: deps.limits.wrongProofsPerH,
      windowS: 3600,
      delays: { firstS: 1, maxS: 60 },
    },
    addressBlock(proof.address),
  ];
  await deps.throttles.take(...fromAddress); // before the proof is checked; given back unless it is wrong
  try {
    if (proof.by === 'PASSWORD') await provePassword(deps, challenge, proof, takeAttempt);
    else await proveCode(deps, challenge, proof.code, takeAttempt);
  } catch (error) {
    if (!isWrongProof(error)) await deps.throttles.giveBack(...fromAddress);
    throw error;
  }
  await deps.throttles.giveBack(...fromAddress);
  return proof.by;
}

/** Counted under the tag of the challenge, whichever was given: an attempt shows nothing about another tag. */
async function provePassword(
  deps: ProveDeps,
  { tag, owner, requesterId }: Challenge,
  { paytag, password }: { paytag: string; password: string },
  takeAttempt: () => Promise<void>,
): Promise<void> {
  const throttle = approvalPageThrottle(deps, tag);
  await throttle.assertOpen();
  const customer = owner.isCustomer ? await findCustomer(deps.db, deps.keyring, owner.externalId) : undefined;
  const isOwners = parseHandle(paytag) === tag && customer?.isFrozen !== true;
  const dummyHash = await dummyPasswordHash();
  const passwordHash = isOwners ? (customer?.passwordHash ?? dummyHash) : dummyHash;
  const guesses = {
    begin: async () => {
      await takeAttempt();
      await throttle.begin();
    },
    succeeded: () => throttle.succeeded(),
  };
  const isProven = await verifyPassword(passwordHash, password, { share: approvalPageShare(requesterId), guesses });
  if (!isProven) throw new DomainError('INVALID_CUSTOMER_CREDENTIALS', 'the PayTag or the password is wrong');
}

async function proveCode(
  deps: ProveDeps,
  challenge: Challenge,
  code: string,
  takeAttempt: () => Promise<void>,
): Promise<void> {
  const { purpose, owner } = challenge;
  await takeAttempt();
  await checkCode(deps, {
    purpose,
    code,
    throttle: ownerCodeThrottle(deps, challenge),
    openUntil: await openUntil(deps.db, purpose),
    async lock(tx) {
      const isVoid = owner.isCustomer && (await isFrozen(tx, deps.keyring, owner.externalId));
      return (isVoid ? undefined : await lockIfAny(tx, purpose)) ?? { codeDigest: null, codeExpiresAt: null };
    },
    accept: (tx) => updateOwnerCode(tx, purpose, { codeDigest: null, codeExpiresAt: null }),
  });
}

/**
 * Sends the owner of a tag a code to an address on record; the message says what it answers, and the code before it is void.
 * A customer without the address, or with one that takes no messages, gets none, and the answer is the same. A send whose
 * outcome is unknown counts: the message may arrive.
 *
 * @throws DomainError OTP_CHANNEL_UNAVAILABLE, OTP_COOLDOWN, OTP_SENDS_EXCEEDED, TOO_MANY_REQUESTS,
 *   MESSAGING_PROVIDER_UNAVAILABLE
 */
export async function sendOwnerCode(deps: SendDeps, challenge: Challenge, channel: Channel): Promise<void> {
  const { db, keyring, clock } = deps;
  const { purpose, about, owner, expiresAt } = challenge;
  const { channels } = await authenticationMethods(deps, owner);
  if (!channels.includes(channel)) throw unavailable(channel);
  const to = await addressOf(deps, owner, channel);
  await sendCode<Buffer>(deps, {
    channel,
    to,
    about,
    throttle: ownerCodeThrottle(deps, challenge),
    async reserve(tx, code) {
      const now = clock.now();
      const before = await lockOwnerCode(tx, purpose, expiresAt);
      assertMaySend(before, { channel, now, afterLast: 'no more are sent for this request' });
      const digest = codeDigest(keyring, purpose, code);
      const sent = to === undefined ? null : digest;
      await updateOwnerCode(tx, purpose, { codeDigest: sent, ...countSend(before, channel, now) });
      return digest;
    },
    async undo(digest) {
      await undoOwnerCode(db, { purpose, channel, codeDigest: digest });
    },
    addressRefused: (cause) => unavailable(channel, cause),
    ...(owner.isCustomer && {
      async voidCode(digest) {
        await voidOwnerCode(db, { purpose, codeDigest: digest });
      },
    }),
  });
}

const unavailable = (channel: Channel, cause?: unknown) =>
  new DomainError('OTP_CHANNEL_UNAVAILABLE', `channel: no code can be sent to this owner by ${channel}`, { cause });

/** Where a code may go: a customer's proven contact or a subject's address on record, nowhere else; nowhere while frozen. */
async function addressOf(deps: ReadDeps, owner: TagOwner, channel: Channel): Promise<string | undefined> {
  if (!owner.isCustomer) return addressFor({ email: await emailOfSubject(deps, owner) }, channel);
  const customer = await findCustomer(deps.db, deps.keyring, owner.externalId);
  return customer === undefined || customer.isFrozen ? undefined : addressFor(customer.proven, channel);
}

async function emailOfSubject({ db, keyring }: ReadDeps, owner: TagOwner): Promise<string | undefined> {
  const row = await findSubject(db, keyring, owner.applicationId, { subjectId: owner.subjectId });
  return toSubject(keyring, row, owner.applicationName).email;
}

/** The limits on an owner's codes: of the application that asks, and of all applications together. */
const ownerCodeThrottle = (deps: { throttles: Throttles; limits: CodeLimits }, { owner, requesterId }: Challenge) => {
  const person = owner.isCustomer ? `customer:${owner.externalId}` : `subject:${owner.subjectId}`;
  return codeThrottle(deps, { requesterId, requester: 'application', person });
};
