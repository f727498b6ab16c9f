import { type Clock, secondsUntil } from '#lib/clock.ts';
import { equalDigests } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import {
  AddressRefused,
  type Channel,
  type MessagingProvider,
  MessagingProviderDown,
} from '../../providers/messaging/port.ts';
import type { Limit } from './limit.ts';
import type { Count, Throttles } from './throttles.ts';

/** A code to send, and how its caller stores it: in rows of its own. */
export interface CodeToSend<Reserved> {
  channel: Channel;
  /** Undefined: nothing is sent, but the send still counts. */
  to: string | undefined;
  /** What the code does, after `to`, for the text of the message. */
  about?: string;
  throttle: SendThrottle;
  /** Stores the code's digest and counts the send. Throws when none may be sent now. */
  reserve(tx: Tx, code: string): Promise<Reserved>;
  /** Takes back a send that did not happen. */
  undo(reserved: Reserved): Promise<void>;
  /** The refusal when the address takes no messages; the send is undone. */
  addressRefused(cause: AddressRefused): DomainError;
  /** Voids the code instead of undoing and refusing, where the answer must not show whether a message can arrive. */
  voidCode?(reserved: Reserved): Promise<void>;
}

/**
 * Sends a code. The send counts before it happens, so that no crash or race exceeds the limit, and is undone when the provider
 * refused the message. If the outcome is unknown, the send counts and its code is valid: the message may arrive.
 *
 * @returns unconfirmed: the reason, if it is unknown whether the code was sent
 * @throws DomainError TOO_MANY_REQUESTS, MESSAGING_PROVIDER_UNAVAILABLE, and the errors of `reserve` and `addressRefused`
 */
export async function sendCode<Reserved>(
  { transact, messaging, metrics }: { transact: Transact; messaging: MessagingProvider; metrics: Meter },
  { channel, to, about, throttle, ...store }: CodeToSend<Reserved>,
): Promise<{ unconfirmed: MessagingProviderDown | undefined }> {
  const code = messaging.newCode();
  await throttle.takeSend(to); // before the transaction, which must not wait for anything else
  const reserved = await transact((tx) => store.reserve(tx, code)).catch(async (refusal: unknown) => {
    await throttle.giveSendBack(to);
    throw refusal;
  });
  if (to === undefined) return { unconfirmed: undefined };
  const count = (outcome: 'sent' | 'unconfirmed' | 'failed') =>
    metrics.add('paytag_otp_sent_total', { channel, outcome });
  try {
    await messaging.sendOtp({ channel, to, code, ...(about !== undefined && { about }) });
    count('sent');
  } catch (cause) {
    count(cause instanceof MessagingProviderDown && cause.mayHaveSent ? 'unconfirmed' : 'failed');
    if (cause instanceof MessagingProviderDown && cause.mayHaveSent) return { unconfirmed: cause };
    if (cause instanceof AddressRefused && store.voidCode !== undefined) {
      await store.voidCode(reserved);
      return { unconfirmed: undefined };
    }
    await store.undo(reserved);
    await throttle.giveSendBack(to);
    if (cause instanceof AddressRefused) throw store.addressRefused(cause);
    if (!(cause instanceof MessagingProviderDown)) throw cause;
    throw new DomainError('MESSAGING_PROVIDER_UNAVAILABLE', 'the code could not be sent: send the same request again', {
      retryAfterS: 5,
      cause,
    });
  }
  return { unconfirmed: undefined };
}

/** The stored part of the last code. */
interface StoredCode {
  /** Null when no code is open: it was used, or none was sent. */
  codeDigest: Buffer | null;
  codeExpiresAt: Date | null;
}

/**
 * A code is stored as a keyed digest (an HMAC), since six digits could be guessed from any other. It is bound to its purpose
 * (e.g. `consent:` and an id): a code for one purpose proves nothing for another.
 */
export const codeDigest = (keyring: Keyring, purpose: string, code: string): Buffer =>
  keyring.blindIndex('otp', `${purpose}:${code}`);

/** Whether a code matches the digest; without a digest none does. */
export const isCode = (keyring: Keyring, purpose: string, digest: Buffer | null, code: string): boolean =>
  digest !== null && equalDigests(digest, codeDigest(keyring, purpose, code));

/** A code from a caller, and where its digest is stored. */
export interface CodeToCheck<Stored extends StoredCode, Result> {
  /** The purpose of its digest. */
  purpose: string;
  code: string;
  throttle: GuessThrottle;
  /** When the last code expires, from an earlier read; null when none was sent. */
  openUntil: Date | null;
  /** Locks and returns the stored part of the last code. Throws when no code is open. */
  lock(tx: Tx): Promise<Stored>;
  /** The code is right: voids it for a second use. */
  accept(tx: Tx, stored: Stored): Promise<Result>;
  /** Counts a wrong code. */
  countWrong?(tx: Tx, stored: Stored): Promise<void>;
}

/**
 * Checks a code. The throttle counts each guess before the check, also concurrent ones. If no code was sent, or the last one has
 * expired, there is nothing to guess and the guess does not count: a caller without a code cannot use up the person's limit.
 *
 * @throws DomainError OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, and the errors of `lock`
 */
export async function checkCode<Stored extends StoredCode, Result>(
  { transact, keyring, clock, metrics }: { transact: Transact; keyring: Keyring; clock: Clock; metrics: Meter },
  { purpose, code, throttle, openUntil, ...store }: CodeToCheck<Stored, Result>,
): Promise<Result> {
  const isOpen = (until: Date | null): boolean => until !== null && until > clock.now();
  const isCounted = isOpen(openUntil);
  const count = (outcome: 'right' | 'wrong' | 'expired' | 'throttled') =>
    metrics.add('paytag_otp_checked_total', { outcome });
  // Before the transaction, which must not wait for anything else.
  if (isCounted) {
    await throttle.takeGuess().catch((refusal: unknown) => {
      count('throttled');
      throw refusal;
    });
  }
  const outcome = await transact(async (tx) => {
    const stored = await store.lock(tx);
    if (!isCounted && isOpen(stored.codeExpiresAt)) return undefined; // sent a moment ago, and this guess is not counted
    if (!isCode(keyring, purpose, stored.codeDigest, code)) {
      await store.countWrong?.(tx, stored);
      return undefined; // not a throw, so that the count is committed
    }
    if (!isOpen(stored.codeExpiresAt)) {
      count('expired');
      throw new DomainError('OTP_EXPIRED', 'otp: the code has expired: request a new one');
    }
    return { result: await store.accept(tx, stored) };
  });
  count(outcome === undefined ? 'wrong' : 'right');
  if (outcome === undefined) throw new DomainError('OTP_INVALID', 'otp: is not the last code that was sent');
  await throttle.succeeded();
  return outcome.result;
}

/** How long a code is valid. */
const CODE_TTL_MS = 5 * 60_000;

/** Between two sends by one channel. */
export const SEND_COOLDOWN_MS = 60_000;

/** Sends for one purpose, by all channels. */
const SENDS_MAX = 5;

/** The number of codes sent for one purpose so far. */
export interface SendCount {
  sends: number;
  /** The last send, by channel: ISO 8601. */
  sentAt: Record<string, string>;
  /** When the purpose expires. */
  expiresAt: Date;
}

/**
 * @param afterLast what the caller can do when no more codes are sent
 * @throws DomainError OTP_SENDS_EXCEEDED, OTP_COOLDOWN
 */
export function assertMaySend(
  { sends, sentAt, expiresAt }: SendCount,
  { channel, now, afterLast }: { channel: Channel; now: Date; afterLast: string },
): void {
  if (sends >= SENDS_MAX) {
    throw new DomainError('OTP_SENDS_EXCEEDED', `${SENDS_MAX} codes were sent: ${afterLast}`, {
      retryAfterS: secondsUntil(expiresAt, now),
    });
  }
  const last = sentAt[channel];
  const again = last === undefined ? now : new Date(Date.parse(last) + SEND_COOLDOWN_MS);
  if (again <= now) return;
  const retryAfterS = secondsUntil(again, now);
  throw new DomainError('OTP_COOLDOWN', `a code was sent by ${channel} a moment ago: wait ${retryAfterS} s`, {
    retryAfterS,
  });
}

/** The count after another send, and the expiry of its code. */
export const countSend = ({ sends, sentAt }: SendCount, channel: Channel, now: Date) => ({
  sends: sends + 1,
  sentAt: { ...sentAt, [channel]: now.toISOString() },
  codeExpiresAt: new Date(now.getTime() + CODE_TTL_MS),
});

const event = 'otp_throttled';

const HOUR_S = 3600;

const DAY_S = 24 * HOUR_S;

const MONTH_S = 30 * DAY_S;

/** The shared limit of all strangers of a kind is this many times the limit of one. */
const STRANGERS = 3;

/** Codes sent, and codes guessed, for one person by one requester in an hour. */
const PER_H = 10;

/** After the daily limit, one code per delay: an hour, two, four, … a day, until the right code or a month without any. */
const growing = { windowS: MONTH_S, delays: { firstS: HOUR_S, maxS: DAY_S } };

/** Limits on codes; 0: no limit. */
export interface CodeLimits {
  /** Sent to one person by one requester. */
  codesPerD: number;
  /** Guessed wrong of one person at one requester, before the delays grow. */
  wrongCodesPerD: number;
  /** Sent by one requester to all. */
  messagesPerD: number;
}

type Deps = { throttles: Throttles; limits: CodeLimits };

/** The person and requester whose codes count. */
export interface CodeSubject {
  /** The partner or application that requests them. */
  requesterId: string;
  /**
   * The requester's relation to the person. In addition to its own count, a stranger shares the count of its kind: `partner`, if the
   * person never proved their identity there, and `application`, which anybody may register. A `known` partner has only its own count,
   * so that no stranger keeps a person from their bank.
   */
  requester: 'known' | 'partner' | 'application';
  /** `customer:` and the customer's id; another prefix for people who are not customers. */
  person: string;
  /** The codes go to an unproven address: its owner is a stranger to the requester. */
  isToNewAddress?: boolean;
}

/** Limits the number of codes sent. */
export interface SendThrottle {
  /** Before a send to this address. @throws DomainError TOO_MANY_REQUESTS */
  takeSend(to: string | undefined): Promise<void>;
  /** Nothing was sent. */
  giveSendBack(to: string | undefined): Promise<void>;
}

/** Limits the number of guesses. */
export interface GuessThrottle {
  /** Before a code is checked. @throws DomainError TOO_MANY_REQUESTS */
  takeGuess(): Promise<void>;
  /** It was the right code: the wrong ones before it are forgotten. */
  succeeded(): Promise<void>;
}

/**
 * Limits the identity codes of a person, whatever their purpose: a number per hour and per day, and after the daily number, over any
 * number of days, one per delay, which grows from an hour to a day. A delay always ends: no person is locked out for good, and a
 * guesser has one guess a day after some weeks.
 */
export function codeThrottle({ throttles, limits }: Deps, subject: CodeSubject): SendThrottle & GuessThrottle {
  const { codesPerD, wrongCodesPerD } = limits;
  const sends = { name: 'codes sent', event } as const;
  const guesses = { name: 'wrong codes', event } as const;
  const hour = { points: PER_H, windowS: HOUR_S };
  const unproven = countsOf(subject, { ...sends, points: codesPerD, ...growing }, 'unproven');
  const sent = [
    ...countsOf(subject, { ...sends, ...hour }, 'hour'),
    ...countsOf(subject, { ...sends, points: codesPerD, windowS: DAY_S }, 'day'),
    ...unproven,
    messagesOf(limits, subject),
  ];
  const guessed = [
    ...countsOf(subject, { ...guesses, ...hour }, 'hour'),
    ...countsOf(subject, { ...guesses, points: wrongCodesPerD, ...growing }, 'wrong'),
  ];
  return {
    ...sendThrottle(throttles, (to) => [...sent, ...contactCounts(limits, subject, to)]),
    takeGuess: () => throttles.takeAll(guessed),
    async succeeded() {
      for (const [limit, key] of [...guessed, ...unproven]) await throttles.reset(limit, key);
    },
  };
}

/** Limits the codes that link a person's tag, and so the guesses at them. */
export function linkingCodeThrottle({ throttles, limits }: Deps, person: Omit<CodeSubject, 'requester'>): SendThrottle {
  const subject = { ...person, requester: 'application' } as const;
  const sends = { name: 'linking codes', event } as const;
  const sent = [
    ...countsOf(subject, { ...sends, points: PER_H, windowS: DAY_S }, 'day'),
    ...countsOf(subject, { ...sends, points: 3 * PER_H, windowS: MONTH_S }, 'month'),
    messagesOf(limits, subject),
  ];
  return sendThrottle(throttles, (to) => [...sent, ...contactCounts(limits, subject, to)]);
}

const sendThrottle = (throttles: Throttles, countsTo: (to: string | undefined) => Count[]): SendThrottle => ({
  takeSend: (to) => throttles.takeAll(countsTo(to)),
  async giveSendBack(to) {
    for (const [limit, key] of countsTo(to)) await throttles.giveBack(limit, key);
  },
});

/** The count of the requester and, unless it knows the person, that of all strangers of its kind. */
function countsOf({ requesterId, requester, person }: CodeSubject, limit: Limit, period: string): Count[] {
  const own: Count = [limit, JSON.stringify([period, requesterId, person])];
  if (requester === 'known') return [own];
  return [own, [{ ...limit, points: STRANGERS * limit.points }, JSON.stringify([period, requester, 'all', person])]];
}

/** The count of sends by strangers to one address, whichever person they name. */
function contactCounts(
  { codesPerD }: CodeLimits,
  { requester, isToNewAddress = false }: CodeSubject,
  to: string | undefined,
): Count[] {
  if (to === undefined || (requester === 'known' && !isToNewAddress)) return [];
  const limit = { name: 'codes sent', event, points: STRANGERS * codesPerD, windowS: DAY_S } as const;
  return [[limit, JSON.stringify([requester === 'application' ? requester : 'partner', 'address', to])]];
}

const messagesOf = ({ messagesPerD }: CodeLimits, { requesterId }: CodeSubject): Count => [
  { name: 'messages for one day', event, points: messagesPerD, windowS: DAY_S },
  `requester:${requesterId}`,
];

/** The addresses of a person for codes. */
export interface Addresses {
  phone?: string | undefined;
  email?: string | undefined;
}

/** The address of a channel. */
export const addressFor = ({ phone, email }: Addresses, channel: Channel): string | undefined =>
  channel === 'email' ? email : phone;

/** The available channels for a code, the preferred one first. */
export const channelsTo = ({ phone, email }: Addresses): Channel[] => [
  ...(phone === undefined ? [] : (['sms', 'whatsapp'] as const)),
  ...(email === undefined ? [] : (['email'] as const)),
];
