import type { Brand } from '#lib/brand.ts';
import { ConfigError } from '../config/environment.ts';
import type { ProviderSettings } from '../config/provider-settings.ts';
import { paystackBank } from './bank/paystack.ts';
import type { BankProvider } from './bank/port.ts';
import { bankSimulator } from './bank/simulator.ts';
import { dojahBvn } from './bvn/dojah.ts';
import type { BvnProvider } from './bvn/port.ts';
import { bvnSimulator } from './bvn/simulator.ts';
import type { EmailProvider } from './email/port.ts';
import { emailSimulator } from './email/simulator.ts';
import { smtpEmail } from './email/smtp.ts';
import { type ProviderClient, providerClient } from './http-client.ts';
import { messagingByChannel } from './messaging/by-channel.ts';
import type { MessagingProvider, PhoneMessenger, TextProvider } from './messaging/port.ts';
import { phoneSimulator } from './messaging/simulator.ts';
import { termiiPhone } from './messaging/termii.ts';

/** The services outside that the rules use. */
export interface Providers {
  readonly bvn: BvnProvider;
  readonly bank: BankProvider;
  readonly messaging: MessagingProvider;
  /** The same, for messages that are no codes. */
  readonly texts: TextProvider;
  readonly email: EmailProvider;
}

/**
 * Opens the configured providers. `close` closes their connections.
 *
 * @throws ConfigError in live, for a BVN provider that does not compare phones
 */
export function openProviders(
  settings: ProviderSettings,
  {
    environment,
    messagingCountries: countries,
    brand,
  }: { environment: string; messagingCountries: readonly string[]; brand: Brand },
): Providers & { close(): Promise<void> } {
  const clients: ProviderClient[] = [];
  const client: Client = ({ url, timeoutMs }) => {
    const opened = providerClient({ origin: url, timeoutMs });
    clients.push(opened);
    return opened;
  };
  const email = settings.email.provider === 'simulator' ? emailSimulator : smtpEmail(settings.email);
  const messaging = messagingByChannel(openPhone(settings.phone, client), email, { countries, brand });
  const bvn = openBvn(settings.bvn, client);
  refuseUnfit(bvn, { environment });
  return {
    bvn,
    bank: openBank(settings.bank, client),
    messaging,
    texts: messaging,
    email,
    close: async () => {
      await Promise.all(clients.map((opened) => opened.close()));
    },
  };
}

type Client = (where: { url: string; timeoutMs: number }) => ProviderClient;

const openBvn = (settings: ProviderSettings['bvn'], client: Client): BvnProvider =>
  settings.provider === 'simulator' ? bvnSimulator : dojahBvn(client(settings), settings);

const openBank = (settings: ProviderSettings['bank'], client: Client): BankProvider =>
  settings.provider === 'simulator' ? bankSimulator : paystackBank(client(settings), settings);

const openPhone = (settings: ProviderSettings['phone'], client: Client): PhoneMessenger =>
  settings.provider === 'simulator' ? phoneSimulator : termiiPhone(client(settings), settings);

/**
 * Whoever proves a code that was sent to a phone owns the PayTag: in live it must be a phone of the register's.
 *
 * @throws ConfigError
 */
export function refuseUnfit(
  { comparesPhones }: Pick<BvnProvider, 'comparesPhones'>,
  { environment }: { environment: string },
): void {
  if (environment !== 'live' || comparesPhones) return;
  throw new ConfigError(
    'BVN_PROVIDER is not valid: in live it must compare phones with the register, and this one cannot',
  );
}
