import type { Seeded } from '../../support/cases.ts';
import { type Client, type RemotePartner, remoteCustomer, remotePartner, ssoOf } from '../../support/client.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';
import { type SoakReceiver, startSoakReceiver, type Temper } from './receivers.ts';

/** Naira. */
const FLOAT = 50_000_000;
const OPENING = 20_000;
/** Wallets of a partner that are counted. */
const COUNTED = 2;
export const DAILY_LIMIT = 400;

export const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };

export interface SoakWallet {
  readonly reference: string;
  readonly nuban: string;
}

export interface SoakCustomer {
  readonly paytag: string;
  readonly wallet: string;
  /** Credentials of the partner and a token, which is replaced when it is refused. */
  headers: Record<string, string>;
  logIn(call: Client): Promise<void>;
}

export interface SoakPartner extends RemotePartner {
  readonly headers: Record<string, string>;
  readonly receiver: SoakReceiver;
  /** Nothing but credits and debits happens to these: what they hold can be added up. */
  readonly counted: readonly SoakWallet[];
  readonly wallets: readonly SoakWallet[];
  /** Account numbers of `wallets` at the simulated bank. */
  readonly numbers: readonly string[];
  /** The first of them may spend DAILY_LIMIT in a day. */
  readonly customers: readonly SoakCustomer[];
  readonly terminal: string;
}

export interface SoakApplication {
  readonly id: string;
  readonly tag: string;
  readonly receiver: SoakReceiver;
  readonly credentials: { client_id: string; client_secret: string };
  headers: Record<string, string>;
  logIn(call: Client): Promise<void>;
}

/** Everybody who calls, and what they own. */
export interface SoakWorld {
  readonly partners: readonly SoakPartner[];
  readonly applications: readonly SoakApplication[];
  readonly receivers: readonly SoakReceiver[];
  /** Somebody whose password is guessed all the time, and who never logs in. */
  readonly guessed: { readonly paytag: string; readonly headers: Record<string, string> };
  /** From now on every receiver accepts what comes. */
  heal(): void;
  close(): Promise<void>;
}

const TEMPERS: readonly Temper[] = ['good', 'fickle', 'bad'];
const NAMES = ['ada', 'bola', 'chidi', 'dayo'];

/** Fills an empty installation over HTTP. */
export async function makeSoakWorld(call: Client, by: Seeded): Promise<SoakWorld> {
  const receivers: SoakReceiver[] = [];
  const receiver = async (temper: Temper, name: string) => {
    const started = await startSoakReceiver(temper, by.branch(name));
    receivers.push(started);
    return started;
  };
  const partners: SoakPartner[] = [];
  for (const temper of TEMPERS) partners.push(await newPartner(call, partners.length, await receiver(temper, temper)));
  const applications: SoakApplication[] = [];
  for (const name of ['market', 'rides'])
    applications.push(await newApplication(call, name, await receiver('fickle', name)));
  const guesser = await remotePartner(call, { name: 'Guesser' });
  const guessed = await remoteCustomer(call, guesser, personAt(99, 'guessed'));
  return {
    partners,
    applications,
    receivers,
    guessed: { paytag: guessed.paytag, headers: guesser.headers },
    heal: () => {
      for (const one of receivers) one.heal();
    },
    close: async () => void (await Promise.all(receivers.map((one) => one.close()))),
  };
}

const personAt = (number: number, paytag: string) => ({
  paytag: `soak.${paytag}`,
  bvn: `22212340${String(100 + number)}`,
  phone: `+23480312340${String(100 + number).slice(1)}`,
  firstName: 'Ada',
});

async function newPartner(call: Client, at: number, receiver: SoakReceiver): Promise<SoakPartner> {
  const partner = await remotePartner(call, { name: `Soak ${at}`, webhookUrl: receiver.url, float: FLOAT });
  const { headers } = partner;
  receiver.signedWith(partner.clientId);
  const wallets: SoakWallet[] = [];
  while (wallets.length < COUNTED + 3) {
    const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
    type Made = { Reference: string; Wallet: { Nuban: string } };
    const { body } = await call<Made>('POST', '/v2/partner/wallet', { headers, json });
    wallets.push({ reference: body.Reference, nuban: body.Wallet.Nuban });
  }
  const numbers: string[] = [];
  for (const { reference } of wallets.slice(COUNTED)) {
    const path = `/v2/partner/wallet/${reference}/account`;
    numbers.push((await call<{ AccountNumber: string }>('POST', path, { headers })).body.AccountNumber);
  }
  const terminal = `SN-SOAK-${at}`;
  await call('POST', '/operator/v1/terminals', {
    headers: operator,
    json: { partnerId: partner.id, serialNumber: terminal },
  });
  const customers: SoakCustomer[] = [];
  for (const name of NAMES.slice(0, 2))
    customers.push(await newCustomer(call, partner, at * 2 + customers.length, `${name}${at}`));
  const limit = { dailyLimit: DAILY_LIMIT, reason: 'a soak' };
  await call('PATCH', `/operator/v1/wallets/${customers[0]?.wallet}`, { headers: operator, json: limit });
  return {
    ...partner,
    headers,
    receiver,
    counted: wallets.slice(0, COUNTED),
    wallets: wallets.slice(COUNTED),
    numbers,
    customers,
    terminal,
  };
}

async function newCustomer(
  call: Client,
  partner: RemotePartner & { headers: Record<string, string> },
  number: number,
  name: string,
): Promise<SoakCustomer> {
  const { paytag, wallet, headers } = await remoteCustomer(call, partner, personAt(number, name));
  const json = { amount: OPENING, reference: `opening-${paytag}` };
  await call('POST', `/v2/partner/wallet/${wallet}/credit`, { headers: partner.headers, json });
  const customer: SoakCustomer = {
    paytag,
    wallet,
    headers,
    async logIn(over) {
      customer.headers = await ssoOf(over, partner).customer(paytag);
    },
  };
  return customer;
}

async function newApplication(call: Client, name: string, receiver: SoakReceiver): Promise<SoakApplication> {
  type Made = { applicationId: string; client_id: string; client_secret: string };
  const json = { applicationName: name, webhookUrl: receiver.url };
  const { data } = (await call<{ data: Made }>('POST', '/api/v1/applications', { json })).body;
  receiver.signedWith(data.client_id);
  const application: SoakApplication = {
    id: data.applicationId,
    tag: `soak-${name}`,
    receiver,
    credentials: { client_id: data.client_id, client_secret: data.client_secret },
    headers: {},
    async logIn(over) {
      const { body } = await over<{ access_token: string }>('POST', '/api/v1/auth/token', {
        json: application.credentials,
      });
      application.headers = { authorization: `Bearer ${body.access_token}` };
    },
  };
  await application.logIn(call);
  const { headers } = application;
  await call('POST', '/api/v1/subjects', { headers, json: { externalId: 'owner' } });
  await call('POST', '/api/v1/tags', { headers, json: { tagString: application.tag, externalId: 'owner' } });
  return application;
}
