import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { Throttles } from '#modules/limits';
import {
  addressFor,
  assertMaySend,
  type CodeLimits,
  codeDigest,
  countSend,
  SEND_COOLDOWN_MS,
  sendCode,
} from '#modules/limits';
import type { Channel, MessagingProvider } from '../../providers/messaging/port.ts';
import { addressesOf, creationKey } from './creation.ts';
import { assertTakesCodes, codePurpose, creationThrottle, type OtpDispatch, recipientOf } from './creation-code.ts';
import { type CreationRow, lockCreation, selectCreation, undoSend, updateCreation } from './onboarding-store.ts';

type Deps = {
  metrics: Meter;
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  messaging: MessagingProvider;
  throttles: Throttles;
  limits: CodeLimits;
  log: Logger;
};

/**
 * Sends a code to an address of the session; the code before it is void, unless the provider does not accept this one.
 * When it is not known whether the provider did, the send counts and its code is good: the message may arrive.
 *
 * @throws DomainError SESSION_NOT_FOUND, SESSION_EXPIRED, OTP_ALREADY_VALIDATED, OTP_CHANNEL_UNAVAILABLE, OTP_COOLDOWN,
 *   OTP_SENDS_EXCEEDED, OTP_ATTEMPTS_EXCEEDED, TOO_MANY_REQUESTS, MESSAGING_PROVIDER_UNAVAILABLE
 */
export async function sendOtp(
  deps: Deps,
  { channel, ...request }: { partnerId: string; session: string; channel: Channel },
): Promise<OtpDispatch> {
  const { db, keyring, clock } = deps;
  const key = creationKey(request);
  const seen = await selectCreation(db, keyring, key);
  assertMaySendNow(seen, channel, clock.now());
  const to = addressFor(addressesOf(keyring, seen), channel);
  if (to === undefined) throw channelUnavailable(channel, 'the session has no address for it');

  const codeReference = randomUUID();
  const { unconfirmed } = await sendCode(deps, {
    channel,
    to,
    about: aboutOf(seen),
    throttle: await creationThrottle(deps, seen),
    async reserve(tx, code) {
      const before = await lockCreation(tx, keyring, key);
      const now = clock.now();
      assertMaySendNow(before, channel, now);
      await updateCreation(tx, keyring, before, {
        codeDigest: codeDigest(keyring, codePurpose(key), code),
        codeChannel: channel,
        codeReference,
        ...countSend(before, channel, now),
      });
      return before;
    },
    undo: (before) => undoSend(db, key, { codeReference, before }),
    addressRefused(cause) {
      deps.log.warn({ err: cause, channel }, 'a code was not sent: its address takes no messages');
      return channelUnavailable(channel, 'its address takes no message');
    },
  });
  if (unconfirmed === undefined) {
    return {
      provider: channel,
      reference: codeReference,
      recipients: recipientOf(keyring, seen, channel),
      validated: false,
    };
  }
  throw new DomainError(
    'MESSAGING_PROVIDER_UNAVAILABLE',
    'it is not known whether the code was sent: wait for it, and have another sent when none comes',
    { retryAfterS: SEND_COOLDOWN_MS / 1000, cause: unconfirmed },
  );
}

/** What the code does: the message says it, so that nobody gives it away for something else. */
const aboutOf = ({ kind, paytag, phoneSealed }: CreationRow): string =>
  ({
    CREATION: 'set up your PayTag and its password',
    PASSWORD_RESET: `set a new password for PayTag ${paytag}`,
    CONTACT_CHANGE: `make this ${phoneSealed === null ? 'address' : 'number'} the one of PayTag ${paytag}`,
  })[kind];

function assertMaySendNow(row: CreationRow | undefined, channel: Channel, now: Date): asserts row is CreationRow {
  assertTakesCodes(row, now);
  assertMaySend(row, { channel, now, afterLast: 'start another session' });
}

const channelUnavailable = (channel: Channel, why: string): DomainError =>
  new DomainError('OTP_CHANNEL_UNAVAILABLE', `channel: not by ${channel}, ${why}: choose another`);
