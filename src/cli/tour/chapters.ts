import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { randomDigits } from '../../lib/random.ts';
import type { Guide } from './guide.ts';
import { isSignedBy, type startReceiver } from './receiver.ts';

const run = promisify(execFile);
const PAYTAG = fileURLToPath(new URL('../paytag.ts', import.meta.url));
const PASSWORD = 'correct horse battery staple';
const OTP_OF_THE_SIMULATOR = '123456';

interface Partner {
  id: string;
  clientId: string;
  apiKey: string;
}
interface PartnerWallet {
  Reference: string;
  Wallet: { Nuban: string };
  PayTag: { Tag: string };
}
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** What this run names its people and references with, so that a second tour meets nobody of the first. */
const mark = randomDigits(6);
const ada = { firstName: 'Ada', lastName: 'Obi', dateOfBirth: '1994-05-17', bvn: `30001${mark}` };
const tag = `ada${mark}`;

const credentials = ({ clientId, apiKey }: Partner) => ({ 'x-client-id': clientId, 'x-api-key': apiKey });

/** 1. The operator brings two partners in, one by the API and one by the command line. */
export async function partnersJoin(guide: Guide, operatorToken: string, receiver: Receiver) {
  guide.chapter('1. The operator creates partners and funds a float');
  const operator = { authorization: `Bearer ${operatorToken}` };
  const { body: acme } = await guide.call<Partner>('POST', '/operator/v1/partners', {
    headers: operator,
    json: { name: 'Acme Pay', redirectUrl: 'https://acme.example/callback?shop=1', webhookUrl: receiver.url },
    expect: 201,
  });
  await guide.call('POST', `/operator/v1/partners/${acme.id}/float`, {
    headers: operator,
    json: { amount: 100_000, reference: `float-${mark}` },
  });
  const args = ['partners', 'create', '--name', 'Bolt Pay', '--redirect-url', 'https://bolt.example/callback'];
  const { stdout } = await run(process.execPath, [PAYTAG, ...args]);
  const bolt = JSON.parse(stdout) as Partner;
  guide.tick('the command line creates a partner with the same operation', bolt.clientId.startsWith('pc_'));
  return { acme, bolt };
}

/** 2. A partner makes a customer; another one links her; a wallet without a PayTag is opened. */
export async function customerIsMade(guide: Guide, acme: Partner, bolt: Partner): Promise<PartnerWallet> {
  guide.chapter('2. Partners get a PayTag and wallets for their customers');
  const { body: wallet } = await guide.call<PartnerWallet>('POST', '/v2/partner/paytag', {
    headers: credentials(acme),
    json: { ...ada, phone: '0803 123 4567', email: 'ada@example.com', tag: `@${tag}` },
  });
  guide.tick(`Ada has the PayTag ${tag} and account number ${wallet.Wallet.Nuban}`, wallet.PayTag.Tag === tag);
  const linked = await guide.call<PartnerWallet>('POST', `/v2/partner/paytag/bvn/${ada.bvn}`, {
    headers: credentials(bolt),
  });
  guide.tick('a second partner has a wallet of its own for her', linked.body.Reference !== wallet.Reference);
  await guide.call('POST', '/v2/partner/wallet', {
    headers: credentials(acme),
    json: { kyc: { firstName: 'Chidi', lastName: 'Okafor' } },
  });
  return wallet;
}

/** 3. Onboarding: Bola from nothing, Ada who has a PayTag and no password yet. */
export async function customersOnboard(guide: Guide, acme: Partner): Promise<void> {
  guide.chapter('3. Customers prove themselves by BVN and OTP, and choose a password');
  const headers = credentials(acme);
  const bola = {
    firstName: 'Bola',
    lastName: 'Ade',
    dateOfBirth: '1990-01-02',
    bvn: `30002${mark}`,
    phone: '08051234567',
  };
  for (const [person, paytag] of [
    [bola, `bola${mark}`],
    [ada, tag],
  ] as const) {
    if (person === bola) {
      const free = await guide.call<{ available: boolean }>('GET', `/v2/sso/verify-tag?paytag=${paytag}`, { headers });
      guide.tick(`${paytag} is free`, free.body.available);
    }
    const started = await guide.call<{ session: string }>('POST', '/v2/sso/create-tag', { headers, json: person });
    const { session } = started.body;
    await guide.call('GET', `/v2/sso/${session}/otp?channel=sms`, { headers });
    await guide.call('POST', `/v2/sso/${session}/otp`, { headers, json: { otp: OTP_OF_THE_SIMULATOR } });
    await guide.call('POST', `/v2/sso/create-tag/${session}/complete`, {
      headers,
      json: { paytag, password: PASSWORD },
    });
  }
  guide.tick('Ada, whom a partner created, has a password now', true);
}

/** 4. Login: code, token, wallet. */
export async function customerLogsIn(guide: Guide, acme: Partner): Promise<void> {
  guide.chapter('4. Ada logs in');
  const headers = credentials(acme);
  const redirect = await guide.call<string>('POST', '/v2/sso/auth-code?scope=profile', {
    headers,
    json: { paytag: tag, password: PASSWORD },
  });
  const url = new URL(redirect.text);
  guide.tick('the redirect keeps the partner’s own query', url.searchParams.get('shop') === '1');
  const code = url.searchParams.get('auth-code') ?? '';
  const token = await guide.call<string>('GET', `/v2/sso/token?auth-code=${code}`, { headers });
  const jwks = await guide.call<JSONWebKeySet>('GET', '/.well-known/jwks.json');
  const { payload } = await jwtVerify(token.text, createLocalJWKSet(jwks.body), { algorithms: ['ES256'] });
  guide.tick(`the customer token verifies by the published keys, for ${payload.exp! - payload.iat!} s`, true);
  await guide.call('GET', `/v2/sso/token?auth-code=${code}`, { headers, expect: 401 });
  guide.tick('a code is good once', true);
  const wallet = await guide.call<{ Balance: number }>('GET', '/v2/sso/wallet', {
    headers: { ...headers, authorization: `Bearer ${token.text}` },
  });
  guide.tick('her wallet answers with its Balance', wallet.body.Balance === 0);
}

/** 5. Money moves, and the partner's server is told, signed, again and again until it listens. */
export async function moneyMoves(
  guide: Guide,
  acme: Partner,
  wallet: PartnerWallet,
  receiver: Receiver,
): Promise<void> {
  guide.chapter('5. Ada is paid, and the partner’s server gets the signed webhooks');
  const headers = credentials(acme);
  const path = `/v2/partner/wallet/${wallet.Reference}`;
  const salary = { amount: 1500.5, reference: `salary-${mark}`, comment: 'Salary' };
  await guide.call('POST', `${path}/credit`, { headers, json: salary });
  const again = await guide.call<{ ClosingBalance: number }>('POST', `${path}/credit`, { headers, json: salary });
  guide.tick('the same reference again moves nothing', again.body.ClosingBalance === 1500.5);
  await guide.call('POST', `${path}/debit`, { headers, json: { amount: 500.25, reference: `rent-${mark}` } });
  await guide.call('POST', `${path}/debit`, { headers, json: { amount: 9999, reference: `car-${mark}` }, expect: 422 });

  const accepted = (event: string) => () =>
    receiver.received.some((one) => one.event === event && one.answered === 200);
  await receiver.until(accepted('wallet.credited'));
  await receiver.until(accepted('wallet.debited'));
  const refused = receiver.received.find(({ answered }) => answered === 500);
  const retried = receiver.received.filter(({ body }) => refused?.body.equals(body));
  guide.tick('the webhook that was answered 500 came again, byte for byte', retried.length > 1);
  guide.tick(
    'every R-Signature verifies',
    receiver.received.every((delivery) => isSignedBy(acme.clientId, delivery)),
  );
}

/** 6. An application resolves the tag. */
export async function applicationResolves(guide: Guide): Promise<void> {
  guide.chapter('6. An application gets a token, and anybody resolves the PayTag');
  const { body } = await guide.call<{ data: { client_id: string; client_secret: string } }>(
    'POST',
    '/api/v1/applications',
    {
      json: { applicationName: `Market ${mark}` },
      expect: 201,
    },
  );
  const { client_id, client_secret } = body.data;
  await guide.call('POST', '/api/v1/auth/token', { json: { client_id, client_secret } });
  await guide.call('POST', '/api/v1/auth/token', { form: { client_id, client_secret } });
  const resolved = await guide.call<{ data: { tagString: string } }>('GET', `/api/v1/tags/${tag}`);
  guide.tick('the tag resolves', resolved.body.data.tagString === tag);
  guide.tick('and tells the public nothing private', !/email|phone|bvn|externalId/i.test(resolved.text));
}
