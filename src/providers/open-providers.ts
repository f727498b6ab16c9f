import type { Config } from '../config.ts';
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
import type { MessagingProvider, PhoneMessenger } from './messaging/port.ts';
import { phoneSimulator } from './messaging/simulator.ts';
import { termiiPhone } from './messaging/termii.ts';

/** The world outside, as the rules see it. */
export interface Providers {
  readonly bvn: BvnProvider;
  readonly bank: BankProvider;
  readonly messaging: MessagingProvider;
  readonly email: EmailProvider;
}

/** The providers that were configured. `close` ends their connections. */
export function openProviders(config: Config): Providers & { close(): Promise<void> } {
  const clients: ProviderClient[] = [];
  const client = (origin: string, timeoutMs: number): ProviderClient => {
    const opened = providerClient({ origin, timeoutMs });
    clients.push(opened);
    return opened;
  };
  const email = openEmail(config);
  return {
    bvn: openBvn(config, client),
    bank: openBank(config, client),
    messaging: messagingByChannel(openPhone(config, client), email),
    email,
    close: async () => {
      await Promise.all(clients.map((opened) => opened.close()));
    },
  };
}

type Client = (origin: string, timeoutMs: number) => ProviderClient;

function openBvn(config: Config, client: Client): BvnProvider {
  if (config.BVN_PROVIDER === 'simulator') return bvnSimulator;
  return dojahBvn(client(config.BVN_DOJAH_URL, config.BVN_TIMEOUT_MS), {
    appId: given(config.BVN_DOJAH_APP_ID),
    secretKey: given(config.BVN_DOJAH_SECRET_KEY),
  });
}

function openBank(config: Config, client: Client): BankProvider {
  if (config.BANK_PROVIDER === 'simulator') return bankSimulator;
  return paystackBank(client(config.BANK_PAYSTACK_URL, config.BANK_TIMEOUT_MS), {
    secretKey: given(config.BANK_PAYSTACK_SECRET_KEY),
  });
}

function openPhone(config: Config, client: Client): PhoneMessenger {
  if (config.MESSAGING_PROVIDER === 'simulator') return phoneSimulator;
  const senderId = given(config.MESSAGING_TERMII_SENDER_ID);
  return termiiPhone(client(given(config.MESSAGING_TERMII_URL), config.MESSAGING_TIMEOUT_MS), {
    apiKey: given(config.MESSAGING_TERMII_API_KEY),
    senderId,
    whatsappDevice: config.MESSAGING_TERMII_WHATSAPP_DEVICE ?? senderId,
    route: config.MESSAGING_TERMII_ROUTE,
  });
}

function openEmail(config: Config): EmailProvider {
  if (config.EMAIL_PROVIDER === 'simulator') return emailSimulator;
  return smtpEmail({
    url: given(config.EMAIL_SMTP_URL),
    tls: config.EMAIL_SMTP_TLS,
    ca: config.EMAIL_SMTP_CA,
    from: given(config.EMAIL_FROM),
    timeoutMs: config.EMAIL_TIMEOUT_MS,
  });
}

/** What the configuration was refused without. */
function given(value: string | undefined): string {
  if (value === undefined) throw new Error('a provider was chosen without its variables');
  return value;
}
