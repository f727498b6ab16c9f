import { maskEmail, maskPhone } from '#modules/customers';
import { sha256 } from '../../lib/crypto/digest.ts';
import type { Keyring } from '../../lib/crypto/keyring.ts';
import { DomainError } from '../../lib/domain-error.ts';
import type { Channel } from '../../providers/messaging/port.ts';
import type { CreationKey, CreationRow } from './store.ts';

/** What its columns are sealed for. */
export const purposes = {
  bvn: 'creation_session.bvn',
  dateOfBirth: 'creation_session.date_of_birth',
  phone: 'creation_session.phone',
  email: 'creation_session.email',
} as const;

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

/** A session is known by its digest alone, and to its partner alone. */
export const creationKey = ({ partnerId, session }: { partnerId: string; session: string }): CreationKey => ({
  digest: sha256(session),
  partnerId,
});

/** @throws DomainError SESSION_NOT_FOUND, also for another partner's; SESSION_EXPIRED */
export function assertLive(row: CreationRow | undefined, now: Date): asserts row is CreationRow {
  if (row === undefined) throw new DomainError('SESSION_NOT_FOUND', 'there is no such session');
  if (row.expiresAt <= now) throw new DomainError('SESSION_EXPIRED', 'the session is over: start another');
}

export interface Addresses {
  phone: string | undefined;
  email: string | undefined;
}

/** Where an OTP of this session may go. */
export function addressesOf(keyring: Keyring, row: CreationRow): Addresses {
  const opened = (purpose: string, sealed: Buffer | null) =>
    sealed === null ? undefined : keyring.open(purpose, sealed);
  return { phone: opened(purposes.phone, row.phoneSealed), email: opened(purposes.email, row.emailSealed) };
}

/** The address of a channel. */
export const addressFor = ({ phone, email }: Addresses, channel: Channel): string | undefined =>
  channel === 'email' ? email : phone;

/** An address as it may be shown. */
export const masked = (channel: Channel, address: string): string =>
  channel === 'email' ? maskEmail(address) : maskPhone(address);

export function stateOf(keyring: Keyring, row: CreationRow): CreationState {
  const { phone, email } = addressesOf(keyring, row);
  return {
    status: row.status,
    channels: [
      ...(phone === undefined ? [] : (['sms', 'whatsapp'] as const)),
      ...(email === undefined ? [] : (['email'] as const)),
    ],
    recipients: [
      ...(phone === undefined ? [] : [maskPhone(phone)]),
      ...(email === undefined ? [] : [maskEmail(email)]),
    ],
    validated: row.status !== 'STARTED',
    expiresAt: row.expiresAt,
  };
}
