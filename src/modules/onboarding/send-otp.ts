import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import type { Throttles } from '#modules/throttles';
import {
  AddressRefused,
  type Channel,
  type MessagingProvider,
  MessagingProviderDown,
} from '../../providers/messaging/port.ts';
import { addressesOf, addressFor, assertLive, creationKey, masked } from './creation.ts';
import { FAILURES_MAX, OTP_TTL_MS, SEND_COOLDOWN_MS, SENDS_MAX } from './limits.ts';
import { otpDigest } from './otp-digest.ts';
import { otpThrottle } from './otp-throttle.ts';
import { type CreationKey, type CreationRow, lockCreation, selectCreation, undoSend, updateCreation } from './store.ts';

type Deps = {
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  messaging: MessagingProvider;
  throttles: Throttles;
  log: Logger;
};

/** What is said of a one-time password that was sent. */
export interface OtpDispatch {
  provider: Channel;
  reference: string;
  recipients: string[];
  validated: boolean;
}

interface Send {
  code: string;
  channel: Channel;
  otpReference: string;
}

/**
 * Sends a code to an address of the session; the code before it is void. The send is counted before it happens, so that
 * no crash or race sends more than the limit, and taken back when the provider did not take the message. Where it was not
 * heard to, the send counts and its code is good: the message may come.
 *
 * @throws DomainError SESSION_NOT_FOUND, SESSION_EXPIRED, OTP_ALREADY_VALIDATED, OTP_CHANNEL_UNAVAILABLE, OTP_COOLDOWN,
 *   OTP_SENDS_EXCEEDED, OTP_ATTEMPTS_EXCEEDED, TOO_MANY_REQUESTS, MESSAGING_PROVIDER_UNAVAILABLE
 */
export async function sendOtp(
  deps: Deps,
  { channel, ...request }: { partnerId: string; session: string; channel: Channel },
): Promise<OtpDispatch> {
  const key = creationKey(request);
  const send = { code: deps.messaging.newCode(), channel, otpReference: randomUUID() };
  const seen = await selectCreation(deps.db, key);
  assertMaySend(seen, channel, deps.clock.now());
  const throttle = otpThrottle(deps, seen);
  requireAddress(deps, seen, channel);
  await throttle.takeSend(); // before the transaction, in which nothing else is waited for
  const { to, before } = await deps
    .transact((tx) => reserveSend(tx, deps, key, send))
    .catch(async (refusal: unknown) => {
      await throttle.giveSendBack();
      throw refusal;
    });
  try {
    await deps.messaging.sendOtp({ channel, to, code: send.code });
  } catch (cause) {
    if (cause instanceof MessagingProviderDown && cause.mayHaveSent) throw notHeard(cause);
    await undoSend(deps.db, key, { otpReference: send.otpReference, before });
    await throttle.giveSendBack();
    if (cause instanceof AddressRefused) {
      deps.log.warn({ err: cause, channel }, 'a code was not sent: its address takes none');
      throw channelUnavailable(channel, 'its address takes no message');
    }
    if (!(cause instanceof MessagingProviderDown)) throw cause;
    throw new DomainError('MESSAGING_PROVIDER_UNAVAILABLE', 'the code could not be sent: send the same request again', {
      retryAfterS: 5,
      cause,
    });
  }
  return { provider: channel, reference: send.otpReference, recipients: [masked(channel, to)], validated: false };
}

async function reserveSend(
  tx: Tx,
  { keyring, clock }: Deps,
  key: CreationKey,
  { code, channel, otpReference }: Send,
): Promise<{ to: string; before: CreationRow }> {
  const before = await lockCreation(tx, key);
  const now = clock.now();
  assertMaySend(before, channel, now);
  const to = requireAddress({ keyring }, before, channel);
  await updateCreation(tx, key, {
    otpDigest: otpDigest(keyring, key, code),
    otpChannel: channel,
    otpReference,
    otpExpiresAt: new Date(now.getTime() + OTP_TTL_MS),
    otpSends: before.otpSends + 1,
    otpSentAt: { ...before.otpSentAt, [channel]: now.toISOString() },
  });
  return { to, before };
}

/** @throws DomainError OTP_CHANNEL_UNAVAILABLE */
function requireAddress({ keyring }: Pick<Deps, 'keyring'>, row: CreationRow, channel: Channel): string {
  const to = addressFor(addressesOf(keyring, row), channel);
  if (to === undefined) throw channelUnavailable(channel, 'the session has no address for it');
  return to;
}

const channelUnavailable = (channel: Channel, why: string): DomainError =>
  new DomainError('OTP_CHANNEL_UNAVAILABLE', `channel: not by ${channel}, ${why}: choose another`);

const notHeard = (cause: MessagingProviderDown): DomainError =>
  new DomainError(
    'MESSAGING_PROVIDER_UNAVAILABLE',
    'it is not known whether the code was sent: wait for it, and have another sent when none comes',
    { retryAfterS: SEND_COOLDOWN_MS / 1000, cause },
  );

function assertMaySend(row: CreationRow | undefined, channel: Channel, now: Date): asserts row is CreationRow {
  assertLive(row, now);
  if (row.status !== 'STARTED') {
    throw new DomainError('OTP_ALREADY_VALIDATED', 'a code of this session was validated already');
  }
  const leftS = secondsUntil(row.expiresAt, now);
  if (row.otpFailures >= FAILURES_MAX) throw attemptsExceeded(leftS);
  if (row.otpSends >= SENDS_MAX) {
    throw new DomainError('OTP_SENDS_EXCEEDED', `${SENDS_MAX} codes were sent: start another session`, {
      retryAfterS: leftS,
    });
  }
  const sentAt = row.otpSentAt[channel];
  const again = sentAt === undefined ? now : new Date(Date.parse(sentAt) + SEND_COOLDOWN_MS);
  if (again > now) {
    const retryAfterS = secondsUntil(again, now);
    throw new DomainError('OTP_COOLDOWN', `a code was sent by ${channel} a moment ago: wait ${retryAfterS} s`, {
      retryAfterS,
    });
  }
}

/** The refusal of a session in which too many wrong codes were given. */
export const attemptsExceeded = (retryAfterS: number): DomainError =>
  new DomainError('OTP_ATTEMPTS_EXCEEDED', `${FAILURES_MAX} wrong codes were given: start another session`, {
    retryAfterS,
  });

/** Whole seconds, at least one. */
export const secondsUntil = (moment: Date, now: Date): number =>
  Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
