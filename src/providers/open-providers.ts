import type { Brand } from '#lib/brand.ts';
import { noMeter } from '#lib/meter.ts';
import { ConfigError } from '../config/environment.ts';
import type { ProviderSettings } from '../config/provider-settings.ts';
import { paystackBank } from './bank/paystack.ts';
import type { BankProvider } from './bank/port.ts';
import { dojahBvn } from './bvn/dojah.ts';
import type { BvnProvider } from './bvn/port.ts';
import type { TakeDisturbance } from './disturbance.ts';
import { disturbedSimulators } from './disturbed-simulators.ts';
import type { EmailProvider } from './email/port.ts';
import { smtpEmail } from './email/smtp.ts';
import { paystackHooks } from './hooks/paystack.ts';
import type { HookVerifier } from './hooks/port.ts';
import { type ProviderClient, providerClient } from './http-client.ts';
import { paystackInbound } from './inbound/paystack.ts';
import type { InboundProvider } from './inbound/port.ts';
import { inboundSimulator } from './inbound/simulator.ts';
import { type AroundCalls, measured } from './measured.ts';
import { messagingByChannel } from './messaging/by-channel.ts';
import type { MessagingProvider, TextProvider } from './messaging/port.ts';
import { termiiPhone } from './messaging/termii.ts';
import { paystackPayout } from './payout/paystack.ts';
import type { PayoutProvider } from './payout/port.ts';
import { payoutSimulator } from './payout/simulator.ts';
import { paystackRail } from './rails/paystack.ts';
import type { Rail } from './rails/port.ts';
import { simulatorRail } from './rails/simulator.ts';
import type { SeenProvider } from './seen/port.ts';

/** The services outside that the rules use. */
export interface Providers {
  readonly bvn: BvnProvider;
  readonly bank: BankProvider;
  /** Undefined where none is configured: nothing is paid out. */
  readonly payoutProvider: PayoutProvider | undefined;
  /** Undefined where none is configured: no account numbers are assigned. */
  readonly inboundProvider: InboundProvider | undefined;
  /** Those whose lists of a day can be compared with ours. */
  readonly rails: readonly Rail[];
  /** Of those who tell us of their own accord: the others' hooks are not there. */
  readonly hookVerifiers: readonly HookVerifier[];
  readonly messaging: MessagingProvider;
  /** The same, for messages that are no codes. */
  readonly texts: TextProvider;
  readonly email: EmailProvider;
  /** How those that are asked over HTTP have answered of late, as far as this process has asked them. */
  readonly providerHealth: () => SeenProvider[];
}

/**
 * Opens the configured providers. `close` closes their connections.
 *
 * @param take what disturbs the simulators: nothing reaches a real provider
 * @throws ConfigError in live, for a BVN provider that does not compare phones
 */
export function openProviders(
  settings: ProviderSettings,
  {
    environment,
    messagingCountries: countries,
    brand,
    publicUrl,
  }: { environment: string; messagingCountries: readonly string[]; brand: Brand; publicUrl: string },
  take: TakeDisturbance,
  around: AroundCalls = { metrics: noMeter, elsewhere: (call) => call() },
): Providers & { close(): Promise<void> } {
  const clients: { purpose: SeenProvider['purpose']; provider: string; opened: ProviderClient }[] = [];
  const client: Client = (purpose, { provider, url, timeoutMs }) => {
    const opened = providerClient({ origin: url, timeoutMs });
    clients.push({ purpose, provider, opened });
    return opened;
  };
  const simulators = disturbedSimulators(take);
  const email = measured(
    around,
    { service: 'email', provider: settings.email.provider },
    settings.email.provider === 'simulator' ? simulators.email : smtpEmail(settings.email),
    ['send'],
  );
  const phone = measured(
    around,
    { service: 'messaging', provider: settings.phone.provider },
    settings.phone.provider === 'simulator'
      ? simulators.phone
      : termiiPhone(client('PHONES', settings.phone), settings.phone),
    ['send'],
  );
  const messaging = messagingByChannel(phone, email, { countries, brand });
  const bvn = measured(
    around,
    { service: 'bvn', provider: settings.bvn.provider },
    settings.bvn.provider === 'simulator' ? simulators.bvn : dojahBvn(client('BVNS', settings.bvn), settings.bvn),
    ['verify'],
  );
  const bank = measured(
    around,
    { service: 'bank', provider: settings.bank.provider },
    settings.bank.provider === 'simulator'
      ? simulators.bank
      : paystackBank(client('BANKS', settings.bank), settings.bank),
    ['enquire'],
  );
  const payout = openPayout(settings.payout, client);
  const inbound = openInbound(settings.inbound, client, publicUrl);
  refuseUnfit(bvn, { environment });
  return {
    bvn,
    bank,
    payoutProvider:
      payout && measured(around, { service: 'payout', provider: payout.name }, payout, ['send', 'verify']),
    inboundProvider: inbound && measured(around, { service: 'inbound', provider: inbound.name }, inbound, ['assign']),
    rails: railsOf(settings, client).map((rail) =>
      measured(around, { service: 'rail', provider: rail.name }, rail, ['list', 'find']),
    ),
    hookVerifiers: hookVerifiersOf(settings),
    messaging,
    texts: messaging,
    email,
    providerHealth: () => clients.map(({ opened, ...one }) => ({ ...one, health: opened.health() })),
    close: async () => {
      await Promise.all(clients.map(({ opened }) => opened.close()));
    },
  };
}

/** The hooks of Paystack are signed with the keys by which we call it. */
function hookVerifiersOf({ payout, inbound }: ProviderSettings): HookVerifier[] {
  const keys = [payout, inbound].flatMap((one) => (one.provider === 'paystack' ? [one.secretKey] : []));
  return keys.length === 0 ? [] : [paystackHooks(keys)];
}

type Client = (
  purpose: SeenProvider['purpose'],
  where: { provider: string; url: string; timeoutMs: number },
) => ProviderClient;

function openPayout(settings: ProviderSettings['payout'], client: Client): PayoutProvider | undefined {
  if (settings.provider === 'none') return undefined;
  return settings.provider === 'simulator' ? payoutSimulator() : paystackPayout(client('PAYOUTS', settings), settings);
}

function railsOf({ payout, inbound }: ProviderSettings, client: Client): Rail[] {
  const [one] = [payout, inbound].flatMap((each) => (each.provider === 'paystack' ? [each] : []));
  const carriers = { TRANSFER: payout.provider, CHARGE: inbound.provider };
  const kinds = (['TRANSFER', 'CHARGE'] as const).filter((kind) => carriers[kind] === 'simulator');
  const simulated = kinds.length > 0 ? [simulatorRail(kinds)] : [];
  if (one === undefined) return simulated;
  const keyOf = (of: typeof payout | typeof inbound) => (of.provider === 'paystack' ? of.secretKey : undefined);
  return [...simulated, paystackRail(client('RAILS', one), { TRANSFER: keyOf(payout), CHARGE: keyOf(inbound) })];
}

function openInbound(
  settings: ProviderSettings['inbound'],
  client: Client,
  publicUrl: string,
): InboundProvider | undefined {
  if (settings.provider === 'none') return undefined;
  if (settings.provider === 'simulator') return inboundSimulator;
  return paystackInbound(client('INBOUND', settings), { ...settings, emailDomain: new URL(publicUrl).hostname });
}

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
