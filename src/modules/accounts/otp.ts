import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Meter } from '#lib/meter.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { concerning } from '#lib/security-events.ts';
import { lockCustomer } from '#modules/customers';
import {
  addressFor,
  assertMaySend,
  type CodeLimits,
  checkCode,
  codeDigest,
  countSend,
  isCode,
  SEND_COOLDOWN_MS,
  sendCode,
  type Throttles,
} from '#modules/limits';
import type { Channel, MessagingProvider } from '../../providers/messaging/port.ts';
import { confirmContactChange } from './contact-change.ts';
import {
  addressesOf,
  assertLive,
  assertTakesCodes,
  codePurpose,
  creationKey,
  creationThrottle,
  type OtpDispatch,
  recipientOf,
} from './creation-session.ts';
import { type CreationRow, lockCreation, selectCreation, undoSend, updateCreation } from './store.ts';

type SendOtpDeps = {
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
  deps: SendOtpDeps,
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
      deps.log.warn(
        { event: 'otp.address_refused', err: cause, channel },
        'a code was not sent: the provider refused the address',
      );
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
    'the code may not have been sent: wait a minute, then request a new one',
    { retryAfterS: SEND_COOLDOWN_MS / 1000, cause: unconfirmed },
  );
}

/** What the code does: the message says it, so that its reader does not pass it on for another purpose. */
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

type ValidateOtpDeps = {
  metrics: Meter;
  db: Database;
  transact: Transact;
  keyring: Keyring;
  clock: Clock;
  throttles: Throttles;
  limits: CodeLimits;
  environment: string;
};

/**
 * Takes the code that was sent last. In a session that changes a contact it confirms the change. Wrong codes are counted under
 * the row's lock: concurrent guesses never exceed the bound.
 *
 * @throws DomainError SESSION_NOT_FOUND, SESSION_EXPIRED, OTP_ALREADY_VALIDATED, OTP_NOT_SENT, OTP_INVALID, OTP_EXPIRED,
 *   OTP_ATTEMPTS_EXCEEDED, TOO_MANY_REQUESTS
 */
export async function validateOtp(
  deps: ValidateOtpDeps,
  { otp, ...request }: { partnerId: string; session: string; otp: string },
): Promise<OtpDispatch> {
  const { db, keyring, clock } = deps;
  const key = creationKey(request);
  const seen = assertWasSent(await selectCreation(db, keyring, key), clock.now());
  if (seen.customerId !== null) concerning({ customerId: seen.customerId });
  return checkCode(deps, {
    purpose: codePurpose(key),
    code: otp,
    throttle: await creationThrottle(deps, seen),
    openUntil: seen.codeExpiresAt,
    async lock(tx) {
      const changed = seen.kind === 'CONTACT_CHANGE' ? seen.customerId : null;
      const customer = changed === null ? undefined : (await lockCustomer(tx, changed)).customer;
      if (customer !== undefined && customer.frozenAt !== null) {
        throw new DomainError('SESSION_EXPIRED', 'the session has expired: start another');
      }
      const now = clock.now();
      return { ...assertWasSent(await lockCreation(tx, keyring, key), now), customer };
    },
    async accept(tx, { customer, ...row }) {
      const status = customer === undefined ? 'VALIDATED' : 'COMPLETED';
      await updateCreation(tx, keyring, row, { status, codeDigest: null });
      if (customer !== undefined) await confirmContactChange(tx, deps, { ...row, customer });
      const recipients = recipientOf(keyring, row, row.codeChannel);
      return { provider: row.codeChannel, reference: row.codeReference, recipients, validated: true };
    },
    countWrong: (tx, row) => updateCreation(tx, keyring, row, { wrongCodes: row.wrongCodes + 1 }),
  });
}

/** A session in which a code was sent that can be given. */
function assertWasSent(row: CreationRow | undefined, now: Date) {
  assertTakesCodes(row, now);
  const { codeDigest: digest, codeChannel, codeReference, codeExpiresAt } = row;
  if (digest === null || codeChannel === null || codeReference === null || codeExpiresAt === null) {
    throw new DomainError('OTP_NOT_SENT', 'no code was sent in this session yet');
  }
  return { ...row, codeDigest: digest, codeChannel, codeReference, codeExpiresAt };
}

/** The code that was sent last in a session. */
export interface SentCode {
  otp: string;
  channel: Channel;
  /** Masked. */
  recipients: string[];
  expiresAt: Date;
}

/**
 * The code that was sent last in a session, if it is the one that the simulated messenger always sends: no other is stored
 * in a way that could be read.
 *
 * @throws DomainError SESSION_NOT_FOUND, also for another partner's; SESSION_EXPIRED; OTP_NOT_SENT
 */
export async function readSimulatedCode(
  {
    db,
    keyring,
    clock,
    messaging,
  }: { db: Database; keyring: Keyring; clock: Clock; messaging: Pick<MessagingProvider, 'newCode'> },
  request: { partnerId: string; session: string },
): Promise<SentCode> {
  const key = creationKey(request);
  const row = await selectCreation(db, keyring, key);
  assertLive(row, clock.now());
  const { codeChannel, codeExpiresAt } = row;
  const otp = messaging.newCode();
  if (codeChannel === null || codeExpiresAt === null || !isCode(keyring, codePurpose(key), row.codeDigest, otp)) {
    throw new DomainError('OTP_NOT_SENT', 'this session has no open code of the simulator');
  }
  return { otp, channel: codeChannel, recipients: recipientOf(keyring, row, codeChannel), expiresAt: codeExpiresAt };
}
