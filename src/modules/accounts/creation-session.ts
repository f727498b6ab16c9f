import { secondsUntil } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type Contacts, maskEmail, maskPhone } from '#modules/customers';
import { addressFor, type CodeLimits, channelsTo, codeThrottle, type Throttles } from '#modules/limits';
import { hasLoggedInBefore } from '#modules/sessions';
import type { Channel } from '../../providers/messaging/port.ts';
import type { CreationKey, CreationRow } from './store.ts';

/** How long a session lasts. */
export const SESSION_TTL_MS = 30 * 60_000;

const KEY = ['digest', 'partner_id'];

const columns = {
  bvn: { table: 'onboarding.creation_session', column: 'bvn_sealed', row: KEY },
  dateOfBirth: { table: 'onboarding.creation_session', column: 'date_of_birth_sealed', row: KEY },
  phone: { table: 'onboarding.creation_session', column: 'phone_sealed', row: KEY },
  email: { table: 'onboarding.creation_session', column: 'email_sealed', row: KEY },
} as const;

/** What a rekey seals again. */
export const sealedColumns: readonly SealedColumn[] = Object.values(columns);

/** What a session is given, as it is stored; null for none. */
export const sealValue = (
  keyring: Keyring,
  { digest, partnerId }: CreationKey,
  what: keyof typeof columns,
  value: string | undefined,
): Buffer | null => (value === undefined ? null : keyring.seal(columns[what], [digest, partnerId], value));

/** What a session was given; undefined for none. */
export const openValue = (keyring: Keyring, stored: CreationRow, what: keyof typeof columns): string | undefined => {
  const sealed = stored[`${what}Sealed`];
  return sealed === null ? undefined : keyring.open(columns[what], [stored.digest, stored.partnerId], sealed);
};

/** The BVN that a creation is for. */
export function bvnOf(keyring: Keyring, row: CreationRow): string {
  const bvn = openValue(keyring, row, 'bvn');
  if (bvn === undefined) throw new Error('a creation has a BVN');
  return bvn;
}

/** Where a session stands. */
export interface CreationState {
  status: CreationRow['status'];
  /** By which an OTP can be sent. */
  channels: Channel[];
  /** Where it would go, masked. */
  recipients: string[];
  validated: boolean;
  expiresAt: Date;
}

/** Where a password reset stands. It says nothing of whose it is: anybody can begin one. */
export interface PasswordReset {
  session: string;
  status: CreationRow['status'];
  validated: boolean;
  expiresAt: Date;
}

/** A session is known by its digest alone, and to its partner alone. */
export const creationKey = ({ partnerId, session }: { partnerId: string; session: string }): CreationKey => ({
  digest: sha256(session),
  partnerId,
});

/** A session that makes a PayTag, or gives its owner their first password. */
type CreationOnly = CreationRow & { bvnSealed: Buffer; dateOfBirthSealed: Buffer };

/** A session that changes a password. */
type ResetOnly = CreationRow & { customerId: string };

/** @throws DomainError as `assertLive`; SESSION_NOT_FOUND also for a reset's */
export function assertLiveCreation(row: CreationRow | undefined, now: Date): asserts row is CreationOnly {
  assertLive(row?.bvnSealed == null || row.dateOfBirthSealed === null ? undefined : row, now);
}

/** @throws DomainError as `assertLive`; SESSION_NOT_FOUND also for a creation's */
export function assertLiveReset(row: CreationRow | undefined, now: Date): asserts row is ResetOnly {
  assertLive(row?.kind === 'PASSWORD_RESET' && row.customerId !== null ? row : undefined, now);
}

/** @throws DomainError SESSION_NOT_FOUND, also for another partner's; SESSION_EXPIRED */
export function assertLive(row: CreationRow | undefined, now: Date): asserts row is CreationRow {
  if (row === undefined) throw new DomainError('SESSION_NOT_FOUND', 'there is no such session');
  if (row.expiresAt <= now) throw new DomainError('SESSION_EXPIRED', 'the session has expired: start another');
}

/** @throws DomainError SESSION_COMPLETED, SESSION_NOT_VALIDATED */
export function assertValidated({ status }: CreationRow): void {
  if (status === 'COMPLETED') throw new DomainError('SESSION_COMPLETED', 'the session was completed already');
  if (status !== 'VALIDATED') throw new DomainError('SESSION_NOT_VALIDATED', 'validate a code (OTP) first');
}

/** The contacts of a session, proven or not. */
export function contactsOf(keyring: Keyring, row: CreationRow): Contacts {
  return { phone: openValue(keyring, row, 'phone'), email: openValue(keyring, row, 'email') };
}

/** Where an OTP of this session may go. Its phone is the register's or the customer's. */
export function addressesOf(keyring: Keyring, row: CreationRow): Contacts {
  const { phone, email } = contactsOf(keyring, row);
  return { phone, email: row.isEmailProven ? email : undefined };
}

/** A session as its partner may see it. */
export function stateOf(keyring: Keyring, row: CreationRow): CreationState {
  const addresses = addressesOf(keyring, row);
  const { phone, email } = addresses;
  return {
    status: row.status,
    channels: channelsTo(addresses),
    recipients: [
      ...(phone === undefined ? [] : [maskPhone(phone)]),
      ...(email === undefined ? [] : [maskEmail(email)]),
    ],
    validated: row.status !== 'STARTED',
    expiresAt: row.expiresAt,
  };
}

/** A password reset as its partner may see it. */
export const resetStateOf = (session: string, { status, expiresAt }: CreationRow): PasswordReset => ({
  session,
  status,
  validated: status !== 'STARTED',
  expiresAt,
});

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
  if (bvn === undefined) throw new Error('a session has a customer or a BVN');
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
