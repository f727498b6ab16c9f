import { secondsUntil } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { maskEmail, maskPhone } from '#modules/customers';
import type { Throttles } from '#modules/limits';
import { addressFor, type CodeLimits, codeThrottle } from '#modules/limits';
import { hasLoggedInBefore } from '#modules/sessions';
import type { Channel } from '../../providers/messaging/port.ts';
import { addressesOf, assertLive, openValue } from './creation.ts';
import type { CreationKey, CreationRow } from './onboarding-store.ts';

/** Wrong codes of one session: after these no code is taken any more. */
const WRONG_CODES_MAX = 5;

/** What is said of a one-time password that was sent. */
export interface OtpDispatch {
  provider: Channel;
  reference: string;
  recipients: string[];
  validated: boolean;
}

/** What a session's codes are digested for: a code of another session proves nothing. */
export const codePurpose = ({ digest }: CreationKey): string => `session:${digest.toString('hex')}`;

/** An address as it may be shown. */
export function recipientOf(keyring: Keyring, row: CreationRow, channel: Channel): string[] {
  const to = addressFor(addressesOf(keyring, row), channel);
  if (to === undefined) return [];
  return [channel === 'email' ? maskEmail(to) : maskPhone(to)];
}

/**
 * Holds the codes of a session's person to limits that starting another session does not lift. Where a customer has proved
 * who they are at the partner before, nothing that others do is counted.
 */
export async function creationThrottle(
  deps: { db: Database; throttles: Throttles; limits: CodeLimits; keyring: Keyring },
  row: CreationRow,
) {
  const { partnerId, customerId } = row;
  const isKnown = customerId !== null && (await hasLoggedInBefore(deps.db, { partnerId, customerId }));
  const person = throttleSubject(deps.keyring, row);
  const isToNewAddress = row.kind === 'CONTACT_CHANGE';
  return codeThrottle(deps, {
    requesterId: partnerId,
    requester: isKnown ? 'known' : 'partner',
    person,
    isToNewAddress,
  });
}

/** Codes that go to a contact which is not the customer's yet use up nothing of theirs. */
function throttleSubject(keyring: Keyring, row: CreationRow): string {
  const { kind, customerId } = row;
  if (kind === 'CONTACT_CHANGE') return `contact of customer:${customerId}`;
  if (customerId !== null) return `customer:${customerId}`;
  const bvn = openValue(keyring, row, 'bvn');
  if (bvn === undefined) throw new Error('a session is somebody’s: it has a customer or a BVN');
  return `bvn:${bvn}`;
}

/**
 * A session for which codes are sent and taken.
 *
 * @throws DomainError SESSION_NOT_FOUND, SESSION_EXPIRED, OTP_ALREADY_VALIDATED, OTP_ATTEMPTS_EXCEEDED
 */
export function assertTakesCodes(row: CreationRow | undefined, now: Date): asserts row is CreationRow {
  assertLive(row, now);
  if (row.status !== 'STARTED') {
    throw new DomainError('OTP_ALREADY_VALIDATED', 'a code of this session was validated already');
  }
  if (row.wrongCodes < WRONG_CODES_MAX) return;
  throw new DomainError('OTP_ATTEMPTS_EXCEEDED', `${WRONG_CODES_MAX} wrong codes were given: start another session`, {
    retryAfterS: secondsUntil(row.expiresAt, now),
  });
}
