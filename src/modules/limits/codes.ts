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

/** A code to be sent, and how whoever needs it keeps it: in rows of their own. */
export interface CodeToSend<Reserved> {
  channel: Channel;
  /** Undefined: nothing is sent, and the send is counted all the same. */
  to: string | undefined;
  /** What the code does, after `to`: the message says it. */
  about?: string;
  throttle: SendThrottle;
  /** Keeps the code's digest and counts the send. Throws when none may be sent now. */
  reserve(tx: Tx, code: string): Promise<Reserved>;
  /** Takes back a send that did not happen. */
  undo(reserved: Reserved): Promise<void>;
  /** The refusal when the address takes no messages; the send is undone. */
  addressRefused(cause: AddressRefused): DomainError;
  /** In place of undoing and refusing, where the answer must not tell whether a message can arrive: makes the code worth nothing. */
  voidCode?(reserved: Reserved): Promise<void>;
}

/**
 * Sends a code. The send is counted before it happens, so that no crash or race sends more than the limit, and taken back
 * when the provider did not accept the message. When it is not known whether the provider did, the send counts and its
 * code is good: the message may arrive.
 *
 * @returns unconfirmed: why it is not known whether the code was sent, if so
 * @throws DomainError TOO_MANY_REQUESTS, MESSAGING_PROVIDER_UNAVAILABLE, and what `reserve` and `addressRefused` say
 */
export async function sendCode<Reserved>(
  { transact, messaging, metrics }: { transact: Transact; messaging: MessagingProvider; metrics: Meter },
  { channel, to, about, throttle, ...store }: CodeToSend<Reserved>,
): Promise<{ unconfirmed: MessagingProviderDown | undefined }> {
  const code = messaging.newCode();
  await throttle.takeSend(to); // before the transaction, in which nothing else is waited for
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

/** What is stored of the code that was sent last. */
interface StoredCode {
  /** Null when there is none that could be given: it was used, or none was sent. */
  codeDigest: Buffer | null;
  codeExpiresAt: Date | null;
}

/**
 * A code is stored as a keyed digest (an HMAC), since six digits could be guessed from any other. It is bound to its purpose
 * (e.g. `consent:` and an id): a code that was sent for one purpose proves nothing for another.
 */
export const codeDigest = (keyring: Keyring, purpose: string, code: string): Buffer =>
  keyring.blindIndex('otp', `${purpose}:${code}`);

/** Whether this is the code of the digest; no code is when there is no digest. */
export const isCode = (keyring: Keyring, purpose: string, digest: Buffer | null, code: string): boolean =>
  digest !== null && equalDigests(digest, codeDigest(keyring, purpose, code));

/** A code that somebody gives, and where it is stored. */
export interface CodeToCheck<Stored extends StoredCode, Result> {
  /** As it was digested for. */
  purpose: string;
  code: string;
  throttle: GuessThrottle;
  /** When the code that was sent last expires, as it was read before; null when none was sent. */
  openUntil: Date | null;
  /** What is stored of the code that was sent last, locked. Throws when none can be given. */
  lock(tx: Tx): Promise<Stored>;
  /** The code is right: makes sure that it is worth nothing a second time. */
  accept(tx: Tx, stored: Stored): Promise<Result>;
  /** Counts a wrong code, where they are counted. */
  countWrong?(tx: Tx, stored: Stored): Promise<void>;
}

/**
 * Takes a code that somebody gives. However many come at once, each is counted by the throttle before it is looked at.
 * Where no code was sent, or the last one has expired, there is nothing to guess and nothing is counted: whoever can ask
 * for a code, but sends none, closes no count of the person's.
 *
 * @throws DomainError OTP_INVALID, OTP_EXPIRED, TOO_MANY_REQUESTS, and what `lock` says
 */
export async function checkCode<Stored extends StoredCode, Result>(
  { transact, keyring, clock, metrics }: { transact: Transact; keyring: Keyring; clock: Clock; metrics: Meter },
  { purpose, code, throttle, openUntil, ...store }: CodeToCheck<Stored, Result>,
): Promise<Result> {
  const isOpen = (until: Date | null): boolean => until !== null && until > clock.now();
  const isCounted = isOpen(openUntil);
  const count = (outcome: 'right' | 'wrong' | 'expired' | 'throttled') =>
    metrics.add('paytag_otp_checked_total', { outcome });
  // Before the transaction, in which nothing else is waited for.
  if (isCounted) {
    await throttle.takeGuess().catch((refusal: unknown) => {
      count('throttled');
      throw refusal;
    });
  }
  const outcome = await transact(async (tx) => {
    const stored = await store.lock(tx);
    if (!isCounted && isOpen(stored.codeExpiresAt)) return undefined; // sent a moment ago, and guessed uncounted
    if (!isCode(keyring, purpose, stored.codeDigest, code)) {
      await store.countWrong?.(tx, stored);
      return undefined; // not a throw, so that the count is committed
    }
    if (!isOpen(stored.codeExpiresAt)) {
      count('expired');
      throw new DomainError('OTP_EXPIRED', 'otp: the code has expired: have another sent');
    }
    return { result: await store.accept(tx, stored) };
  });
  count(outcome === undefined ? 'wrong' : 'right');
  if (outcome === undefined) throw new DomainError('OTP_INVALID', 'otp: is not the code that was sent last');
  await throttle.succeeded();
  return outcome.result;
}

/** How long a code is good for. */
const CODE_TTL_MS = 5 * 60_000;

/** Between two sends by one channel. */
export const SEND_COOLDOWN_MS = 60_000;

/** Sends for one purpose, by all channels. */
const SENDS_MAX = 5;

/** The codes sent for one purpose so far. */
export interface SendCount {
  sends: number;
  /** The last send, by channel: ISO 8601. */
  sentAt: Record<string, string>;
  /** When the purpose expires. */
  expiresAt: Date;
}

/**
 * @param afterLast what is left to do when no more codes are sent
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

/** The count with one more send, and until when the code of that send is good. */
export const countSend = ({ sends, sentAt }: SendCount, channel: Channel, now: Date) => ({
  sends: sends + 1,
  sentAt: { ...sentAt, [channel]: now.toISOString() },
  codeExpiresAt: new Date(now.getTime() + CODE_TTL_MS),
});

const event = 'otp_throttled';

const HOUR_S = 3600;

const DAY_S = 24 * HOUR_S;

const MONTH_S = 30 * DAY_S;

/** What all strangers of a kind together have, as many times what one of them has. */
const STRANGERS = 3;

/** Codes sent, and codes guessed, for one person by one requester. */
const PER_H = 10;

/** Past a day's number: an hour, two, four, … a day between one and the next, until the right code or a month without any. */
const growing = { windowS: MONTH_S, delays: { firstS: HOUR_S, maxS: DAY_S } };

/** How many codes there may be; 0: any number. */
export interface CodeLimits {
  /** Sent to one person by one requester. */
  codesPerD: number;
  /** Guessed wrong of one person at one requester, before the delays grow. */
  wrongCodesPerD: number;
  /** Sent by one requester to all. */
  messagesPerD: number;
}

type Deps = { throttles: Throttles; limits: CodeLimits };

/** Whose codes are counted. */
export interface CodeSubject {
  /** The partner or application on whose behalf they are sent. */
  requesterId: string;
  /**
   * What the requester is to the person. Strangers of one kind share a count, beside their own: `partner`, where the person
   * never proved who they are, and `application`, which anybody may register. A partner that is `known` has its own count
   * alone: no stranger keeps a person from their bank.
   */
  requester: 'known' | 'partner' | 'application';
  /** `customer:` and the customer's id; another prefix for people who are no customers. */
  person: string;
  /** The codes go to an address that nobody has proven to be the person's: whoever has it is a stranger to the requester. */
  isToNewAddress?: boolean;
}

/** Bounds how many codes are sent. */
export interface SendThrottle {
  /** Before a send to this address. @throws DomainError TOO_MANY_REQUESTS */
  takeSend(to: string | undefined): Promise<void>;
  /** Nothing was sent. */
  giveSendBack(to: string | undefined): Promise<void>;
}

/** Bounds how many codes are guessed. */
export interface GuessThrottle {
  /** Before a code is looked at. @throws DomainError TOO_MANY_REQUESTS */
  takeGuess(): Promise<void>;
  /** It was the right code: the wrong ones before it are forgotten. */
  succeeded(): Promise<void>;
}

/**
 * Holds the codes by which a person proves who they are to limits, whatever each code is for: so many in an hour and in a
 * day, and past a day's number, also of many days together, one after a delay that grows from an hour to a day. There is
 * always a next one: nobody is locked out for good, and whoever goes on for weeks has one guess a day.
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

/** Holds the codes that link a person's tag to limits, and so how often somebody can guess at one. */
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

/** The count of the requester and, unless they know the person, that of all strangers of their kind. */
function countsOf({ requesterId, requester, person }: CodeSubject, limit: Limit, period: string): Count[] {
  const own: Count = [limit, JSON.stringify([period, requesterId, person])];
  if (requester === 'known') return [own];
  return [own, [{ ...limit, points: STRANGERS * limit.points }, JSON.stringify([period, requester, 'all', person])]];
}

/** What strangers send to one address, whoever the person is that they name. */
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

/** Where a person can be sent a code. */
export interface Addresses {
  phone?: string | undefined;
  email?: string | undefined;
}

/** The address of a channel. */
export const addressFor = ({ phone, email }: Addresses, channel: Channel): string | undefined =>
  channel === 'email' ? email : phone;

/** The channels by which a code can be sent, the preferred one first. */
export const channelsTo = ({ phone, email }: Addresses): Channel[] => [
  ...(phone === undefined ? [] : (['sms', 'whatsapp'] as const)),
  ...(email === undefined ? [] : (['email'] as const)),
];
