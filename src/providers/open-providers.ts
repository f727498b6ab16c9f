import { setTimeout as wait } from 'node:timers/promises';
import type { Brand } from '#lib/brand.ts';
import { type LabelsOf, type Meter, noMeter } from '#lib/meter.ts';
import { runIn, startPart } from '#lib/tracing.ts';
import { ConfigError } from '../config/environment.ts';
import type { ProviderSettings } from '../config/provider-settings.ts';
import { paystackBank } from './bank/paystack.ts';
import { type BankProvider, BankProviderDown } from './bank/port.ts';
import { dojahBvn } from './bvn/dojah.ts';
import { type BvnProvider, BvnProviderDown } from './bvn/port.ts';
import type { DisturbedAnswer, ProviderName, TakeDisturbance } from './disturbance.ts';
import { type EmailProvider, EmailProviderDown } from './email/port.ts';
import { smtpEmail } from './email/smtp.ts';
import { paystackHooks } from './hooks/paystack.ts';
import type { HookVerifier } from './hooks/port.ts';
import { type ProviderClient, providerClient } from './http-client.ts';
import { paystackInbound } from './inbound/paystack.ts';
import type { InboundProvider } from './inbound/port.ts';
import { messagingByChannel } from './messaging/by-channel.ts';
import {
  type MessagingProvider,
  MessagingProviderDown,
  type PhoneMessenger,
  type TextProvider,
} from './messaging/port.ts';
import { termiiPhone } from './messaging/termii.ts';
import { paystackPayout } from './payout/paystack.ts';
import type { PayoutProvider } from './payout/port.ts';
import { paystackRail } from './rails/paystack.ts';
import type { Rail } from './rails/port.ts';
import type { SeenProvider } from './seen/port.ts';
import {
  bankSimulator,
  bvnSimulator,
  emailSimulator,
  inboundSimulator,
  payoutSimulator,
  phoneSimulator,
  simulatorRail,
} from './simulators.ts';

type Service = NonNullable<LabelsOf<'paytag_provider_up'>['service']>;
type Call = (...given: never[]) => Promise<unknown>;

/** Names of the ports' errors that mean that there was no usable answer. */
const DOWN = /(Down|NotSent|Unknown)$/;

/** Wraps the calls of providers. */
interface AroundCalls {
  readonly metrics: Meter;
  /** Runs a call without holding the place of its request: it may take long. */
  readonly elsewhere: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

/**
 * The same provider, with its calls measured: how long each took, and whether it did what it was asked to.
 *
 * @param calls the names of its calls
 */
function measured<Provider extends object>(
  { metrics, elsewhere }: AroundCalls,
  { service, provider }: { service: Service; provider: string },
  one: Provider,
  calls: readonly (keyof Provider)[],
): Provider {
  metrics.set('paytag_provider_up', { service, provider }, 1);
  const measure =
    (name: string, call: Call): Call =>
    async (...given) => {
      const beganAt = performance.now();
      const span = startPart(`${service} ${name}`, { kind: 'client', attributes: { 'paytag.provider': provider } });
      const ended = (outcome: 'ok' | 'refused' | 'down') => {
        const seconds = (performance.now() - beganAt) / 1000;
        metrics.observe('paytag_provider_call_duration_seconds', { service, provider, outcome }, seconds);
        metrics.set('paytag_provider_up', { service, provider }, outcome === 'down' ? 0 : 1);
        span?.end(outcome === 'ok' ? undefined : outcome);
      };
      try {
        const result = await elsewhere(() => runIn(span, async () => call.apply(one, given)));
        ended('ok');
        return result;
      } catch (error) {
        ended(error instanceof Error && DOWN.test(error.name) ? 'down' : 'refused');
        throw error;
      }
    };
  return { ...one, ...Object.fromEntries(calls.map((name) => [name, measure(String(name), one[name] as Call)])) };
}

const said = { fail: 'the simulator was told to fail', timeout: 'the simulator was told not to answer' } as const;

/** Waits as the caller has asked for. @throws what `down` makes, where the simulator is to fail or not to answer */
const meet =
  (take: TakeDisturbance) =>
  async (provider: ProviderName, down: (message: string, answer: DisturbedAnswer) => Error): Promise<void> => {
    const disturbance = await take(provider);
    if (disturbance === undefined) return;
    const { answer, delayMs } = disturbance;
    await wait(delayMs, undefined, { ref: false });
    if (answer !== 'slow') throw down(said[answer], answer);
  };

/** The simulators, which fail, do not answer or are slow where their caller has asked for it. */
function disturbedSimulators(take: TakeDisturbance): {
  bvn: BvnProvider;
  bank: BankProvider;
  phone: PhoneMessenger;
  email: EmailProvider;
} {
  const disturbed = meet(take);
  return {
    bvn: {
      ...bvnSimulator,
      async verify(claim) {
        await disturbed('bvn', (message) => new BvnProviderDown(message));
        return bvnSimulator.verify(claim);
      },
    },
    bank: {
      async enquire(claim) {
        await disturbed('bank', (message) => new BankProviderDown(message));
        return bankSimulator.enquire(claim);
      },
    },
    phone: {
      ...phoneSimulator,
      async send(message) {
        const mayHaveSent = (answer: DisturbedAnswer) => ({ mayHaveSent: answer === 'timeout' });
        await disturbed('messaging', (text, answer) => new MessagingProviderDown(text, mayHaveSent(answer)));
        return phoneSimulator.send(message);
      },
    },
    email: {
      async send(message) {
        await disturbed('email', (text, answer) => new EmailProviderDown(text, { mayHaveSent: answer === 'timeout' }));
        return emailSimulator.send(message);
      },
    },
  };
}

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
 * The owner of the phone that receives the code owns the PayTag: in live it must be a phone of the register.
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
