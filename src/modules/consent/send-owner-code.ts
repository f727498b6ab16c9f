import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { Throttles } from '#modules/limits';
import { assertMaySend, type CodeLimits, codeDigest, countSend, sendCode } from '#modules/limits';
import type { Channel, MessagingProvider } from '../../providers/messaging/port.ts';
import { addressOf, authenticationMethods, type Challenge, ownerCodeThrottle } from './challenge.ts';
import { lockOwnerCode, undoOwnerCode, updateOwnerCode, voidOwnerCode } from './owner-proof-store.ts';

type Deps = {
  metrics: Meter;
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  messaging: MessagingProvider;
  throttles: Throttles;
  limits: CodeLimits;
};

/**
 * Sends the owner of a tag a code to an address on record, with what it answers; the code before it is void. A customer
 * without the address, or with one that takes no messages, is sent none, and the answer is the same. A send of which it is
 * not known whether the provider accepted it counts as sent: the message may arrive.
 *
 * @throws DomainError OTP_CHANNEL_UNAVAILABLE, OTP_COOLDOWN, OTP_SENDS_EXCEEDED, TOO_MANY_REQUESTS,
 *   MESSAGING_PROVIDER_UNAVAILABLE
 */
export async function sendOwnerCode(deps: Deps, challenge: Challenge, channel: Channel): Promise<void> {
  const { db, keyring, clock } = deps;
  const { purpose, about, owner, expiresAt } = challenge;
  const { channels } = await authenticationMethods(deps, challenge);
  if (!channels.includes(channel)) throw unavailable(channel);
  const to = await addressOf(deps, challenge, channel);
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
    undo: (digest) => undoOwnerCode(db, purpose, { channel, codeDigest: digest }),
    addressRefused: (cause) => unavailable(channel, cause),
    ...(owner.isCustomer && { voidCode: (digest) => voidOwnerCode(db, purpose, digest) }),
  });
}

const unavailable = (channel: Channel, cause?: unknown) =>
  new DomainError('OTP_CHANNEL_UNAVAILABLE', `channel: no code can be sent to this owner by ${channel}`, { cause });
