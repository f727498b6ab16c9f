import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { codeThrottle, OTP_TTL_MS, SEND_COOLDOWN_MS, SENDS_MAX } from '#modules/onboarding';
import type { Throttles } from '#modules/throttles';
import {
  AddressRefused,
  type Channel,
  type MessagingProvider,
  MessagingProviderDown,
} from '../../providers/messaging/port.ts';
import { addressOf, authenticationMethods, type Challenge, codeDigestOf, personOf } from './challenge.ts';
import { lockOwnerCode, type OwnerCodeRow, undoOwnerCode, updateOwnerCode, voidOwnerCode } from './store.ts';

type Deps = {
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  messaging: MessagingProvider;
  throttles: Throttles;
};

/**
 * Sends the owner of a tag a code to an address on record, with what it answers; the code before it is void. A customer
 * without the address, or with one that takes no message, is sent none, and the answer is the same. The send is counted
 * before it happens, so that no crash or race sends more than the limit, and taken back when the provider did not take
 * the message. One that it was not heard to take counts as sent: it may arrive.
 *
 * @throws DomainError OTP_CHANNEL_UNAVAILABLE, OTP_COOLDOWN, OTP_SENDS_EXCEEDED, TOO_MANY_REQUESTS,
 *   MESSAGING_PROVIDER_UNAVAILABLE
 */
export async function sendOwnerCode(deps: Deps, challenge: Challenge, channel: Channel): Promise<void> {
  const { channels } = await authenticationMethods(deps, challenge);
  if (!channels.includes(channel)) throw unavailable(channel);
  const throttle = codeThrottle(deps, { askedBy: challenge.askedBy, person: personOf(challenge) });
  const to = await addressOf(deps, challenge, channel);
  const code = deps.messaging.newCode();
  const codeDigest = codeDigestOf(deps.keyring, challenge, code);
  await throttle.takeSend(); // before the transaction, in which nothing else is waited for
  try {
    const sent = to === undefined ? null : codeDigest;
    await deps.transact((tx) => reserveSend(tx, deps, challenge, { channel, codeDigest: sent }));
  } catch (error) {
    await throttle.giveSendBack();
    throw error;
  }
  if (to === undefined) return;
  try {
    await deps.messaging.sendOtp({ channel, to, code, about: challenge.about });
  } catch (cause) {
    if (cause instanceof MessagingProviderDown && cause.mayHaveSent) return;
    if (cause instanceof AddressRefused && challenge.owner.isCustomer) {
      await voidOwnerCode(deps.db, challenge.purpose, codeDigest);
      return;
    }
    await undoOwnerCode(deps.db, challenge.purpose, { channel, codeDigest });
    await throttle.giveSendBack();
    if (cause instanceof AddressRefused) throw unavailable(channel, cause);
    if (!(cause instanceof MessagingProviderDown)) throw cause;
    throw new DomainError('MESSAGING_PROVIDER_UNAVAILABLE', 'the code could not be sent: send the same request again', {
      retryAfterS: 5,
      cause,
    });
  }
}

const unavailable = (channel: Channel, cause?: unknown) =>
  new DomainError('OTP_CHANNEL_UNAVAILABLE', `channel: no code can be sent to this owner by ${channel}`, { cause });

async function reserveSend(
  tx: Tx,
  { clock }: Deps,
  challenge: Challenge,
  { channel, codeDigest }: { channel: Channel; codeDigest: Buffer | null },
): Promise<void> {
  const now = clock.now();
  const before = await lockOwnerCode(tx, challenge.purpose, challenge.expiresAt);
  assertMaySend(before, channel, now);
  await updateOwnerCode(tx, challenge.purpose, {
    codeDigest,
    codeExpiresAt: new Date(now.getTime() + OTP_TTL_MS),
    sends: before.sends + 1,
    sentAt: { ...before.sentAt, [channel]: now.toISOString() },
  });
}

function assertMaySend({ sends, sentAt, expiresAt }: OwnerCodeRow, channel: Channel, now: Date): void {
  if (sends >= SENDS_MAX) {
    throw new DomainError('OTP_SENDS_EXCEEDED', `${SENDS_MAX} codes were sent: no more are sent for this request`, {
      retryAfterS: secondsUntil(expiresAt.getTime(), now),
    });
  }
  const last = sentAt[channel];
  const again = last === undefined ? 0 : Date.parse(last) + SEND_COOLDOWN_MS;
  if (again <= now.getTime()) return;
  const retryAfterS = secondsUntil(again, now);
  throw new DomainError('OTP_COOLDOWN', `a code was sent by ${channel} a moment ago: wait ${retryAfterS} s`, {
    retryAfterS,
  });
}

const secondsUntil = (momentMs: number, now: Date): number => Math.max(1, Math.ceil((momentMs - now.getTime()) / 1000));
