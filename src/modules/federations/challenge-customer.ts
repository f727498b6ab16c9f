import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type Customer, findCustomer } from '#modules/customers';
import type { Throttles } from '#modules/throttles';
import {
  AddressRefused,
  type Channel,
  type MessagingProvider,
  MessagingProviderDown,
} from '../../providers/messaging/port.ts';

const DAY_S = 24 * 60 * 60;
/** Codes for one customer from one application; from all of them, so that none uses them up alone. */
const SENDS = { fromApplication: 10, fromAll: 30 };

type Deps = { db: Database; keyring: Keyring; messaging: MessagingProvider; throttles: Throttles };

/** Where a customer is reached. */
export interface Contact {
  customerId: string;
  channel: Channel;
  to: string;
}

/** The contact on record: her phone, or else her e-mail address. @throws DomainError OTP_CHANNEL_UNAVAILABLE */
export async function contactOf({ db, keyring }: Deps, customerId: string): Promise<Contact> {
  const { phone, email } = (await findCustomer(db, keyring, customerId)) ?? ({} as Partial<Customer>);
  if (phone !== undefined) return { customerId, channel: 'sms', to: phone };
  if (email !== undefined) return { customerId, channel: 'email', to: email };
  throw unreachable();
}

const unreachable = (cause?: unknown) =>
  new DomainError('OTP_CHANNEL_UNAVAILABLE', 'secondaryTag: its owner cannot be sent a code: ask for CONSENT', {
    cause,
  });

/** Bounds how many codes reach a customer in a day, and so how often somebody can guess at one. */
export function sendThrottle({ throttles }: Deps, { customerId }: Contact, applicationId: string) {
  const pair = JSON.stringify([applicationId, customerId]);
  const limit = (points: number) => ({ name: 'linking codes', points, windowS: DAY_S });
  return {
    /** @throws DomainError TOO_MANY_REQUESTS */
    async take(): Promise<void> {
      await throttles.take(limit(SENDS.fromApplication), pair);
      await throttles.take(limit(SENDS.fromAll), customerId);
    },
    /** Nothing was sent. */
    async giveBack(): Promise<void> {
      await throttles.giveBack(limit(SENDS.fromApplication), pair);
      await throttles.giveBack(limit(SENDS.fromAll), customerId);
    },
  };
}

/**
 * Sends the code, saying which tag hers would be linked to. One that the provider was not heard to take counts as sent:
 * it may arrive.
 *
 * @throws DomainError OTP_CHANNEL_UNAVAILABLE, MESSAGING_PROVIDER_UNAVAILABLE: it was not sent
 */
export async function sendCode({ messaging }: Deps, { channel, to }: Contact, code: string, about: string) {
  try {
    await messaging.sendOtp({ channel, to, code, about });
  } catch (cause) {
    if (cause instanceof AddressRefused) throw unreachable(cause);
    if (!(cause instanceof MessagingProviderDown)) throw cause;
    if (cause.mayHaveSent) return;
    const message = 'the code could not be sent: send the same request again';
    throw new DomainError('MESSAGING_PROVIDER_UNAVAILABLE', message, { retryAfterS: 5, cause });
  }
}
