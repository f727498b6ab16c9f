import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, remotePartner } from '../../support/client.ts';
import { useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { OPERATOR_TOKEN, runToEnd, serverEnv, startServer } from '../../support/process.ts';
import { isSigned, useReceiver } from '../../support/receiver.ts';
import { useRedis } from '../../support/redis.ts';
import { type ServedHere, serveHere } from '../../support/served.ts';

const PASSWORD = 'correct horse battery staple';
const ada = { firstName: 'Ada', lastName: 'Obi', dateOfBirth: '1994-05-17', bvn: '22233344455' };
const bola = {
  firstName: 'Bola',
  lastName: 'Ade',
  dateOfBirth: '1990-01-02',
  bvn: '22233344466',
  phone: '08051234567',
};

interface PartnerWallet {
  Reference: string;
  PayTag: { Tag: string; Phone: string };
  Wallet: { Nuban: string };
}

/** The story, told once with the queue on PostgreSQL and once with the queue on Redis, and there to a process of its own. */
function story(start: typeof serveHere | typeof startServer, queueEnv: () => Record<string, string>): void {
  const database = useDatabase();
  const receiver = useReceiver();
  let server: ServedHere;
  let call: Client;
  let acme: Awaited<ReturnType<typeof remotePartner>>;
  let bolt: { clientId: string; apiKey: string; headers: Record<string, string> };
  let wallet: PartnerWallet;

  beforeAll(async () => {
    server = await start({ ...serverEnv(database.url), ...queueEnv() });
    call = clientOf(server.url);
  });
  afterAll(() => server?.stop());

  it('1. the operator creates partners, by the API and by the command line, and funds a float', async () => {
    acme = await remotePartner(call, {
      name: 'Acme',
      redirectUrl: 'https://acme.example/callback?shop=1',
      webhookUrl: receiver.url,
      float: 10_000,
    });
    const args = ['partners', 'create', '--name', 'Bolt', '--redirect-url', 'https://bolt.example/callback'];
    const env = { PAYTAG_URL: server.url, PAYTAG_TOKEN: OPERATOR_TOKEN };
    const created = await runToEnd(['src/cli/paytag.js', ...args, '--json'], env);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const { id, clientId, apiKey } = JSON.parse(created.stdout);
    bolt = { clientId, apiKey, headers: { 'x-client-id': clientId, 'x-api-key': apiKey } };
    const fund = ['partners', 'float', 'fund', id, '--amount', '250.50', '--reference', 'cli-1', '--json'];
    const funded = await runToEnd(['src/cli/paytag.js', ...fund], env);
    expect(JSON.parse(funded.stdout)).toEqual({ currency: 'NGN', balance: 250.5 });
  });

  it('2. a partner makes Ada, another links her, and a KYC wallet is opened', async () => {
    const json = { ...ada, phone: '0803 123 4567', tag: '@Ada.Obi' };
    const made = await call<PartnerWallet>('POST', '/v2/partner/paytag', { headers: acme.headers, json });
    expect(made.status).toBe(200);
    expect(made.body.PayTag).toMatchObject({ Tag: 'ada.obi', Phone: '+2348031234567' });
    wallet = made.body;

    const link = () => call<PartnerWallet>('POST', `/v2/partner/paytag/bvn/${ada.bvn}`, { headers: bolt.headers });
    const [linked, again] = [await link(), await link()];
    expect(linked.status).toBe(200);
    expect(linked.body.Reference).not.toBe(wallet.Reference);
    expect(again.body).toEqual(linked.body);

    const kyc = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
    const opened = await call('POST', '/v2/partner/wallet', { headers: acme.headers, json: kyc });
    expect(opened.body).toMatchObject({ KycProfile: { Name: 'Chidi Okafor' } });
  });

  it('3. Bola onboards from nothing, and Ada, whom a partner created, gets her password', async () => {
    for (const [person, paytag] of [
      [bola, 'bola'],
      [ada, 'ada.obi'],
    ] as const) {
      const free = await call('GET', `/v2/sso/verify-tag?paytag=${paytag}`, { headers: acme.headers });
      expect(free.body).toEqual({ paytag, available: person === bola });
      const started = await call<{ session: string }>('POST', '/v2/sso/create-tag', {
        headers: acme.headers,
        json: person,
      });
      expect(started.status).toBe(200);
      const { session } = started.body;
      const sent = await call('GET', `/v2/sso/${session}/otp?channel=sms`, { headers: acme.headers });
      expect(sent.body).toMatchObject({
        provider: 'sms',
        validated: false,
        recipients: [expect.stringContaining('*')],
      });
      const wrong = await call('POST', `/v2/sso/${session}/otp`, { headers: acme.headers, json: { otp: '000000' } });
      expect(wrong.status).toBe(400);
      const right = await call('POST', `/v2/sso/${session}/otp`, { headers: acme.headers, json: { otp: '123456' } });
      expect(right.body).toMatchObject({ validated: true });
      const done = await call('POST', `/v2/sso/create-tag/${session}/complete`, {
        headers: acme.headers,
        json: { paytag, password: PASSWORD },
      });
      expect(done).toMatchObject({ status: 200, body: { Tag: paytag } });
    }
  });

  it('4. Ada logs in: redirect, token, wallet with Balance', async () => {
    const json = { paytag: '@ada.obi', password: PASSWORD };
    const redirect = await call<string>('POST', '/v2/sso/auth-code?scope=profile', { headers: acme.headers, json });
    expect(redirect.status).toBe(200);
    expect(redirect.headers['content-type']).toMatch(/^text\/plain/);
    const url = new URL(redirect.text);
    expect(url.origin + url.pathname).toBe('https://acme.example/callback');
    expect(url.searchParams.get('shop')).toBe('1');

    const code = url.searchParams.get('auth-code');
    const token = await call<string>('GET', `/v2/sso/token?auth-code=${code}`, { headers: acme.headers });
    expect(token.headers['content-type']).toMatch(/^text\/plain/);
    expect(token.headers['cache-control']).toBe('no-store');
    const jwks = await call<JSONWebKeySet>('GET', '/.well-known/jwks.json');
    const { payload, protectedHeader } = await jwtVerify(token.text, createLocalJWKSet(jwks.body));
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(payload.azp).toBe(acme.id);
    expect(token.text).not.toContain(acme.clientId);

    const authorization = `Bearer ${token.text}`;
    const hers = await call('GET', '/v2/sso/wallet', { headers: { ...acme.headers, authorization } });
    expect(hers).toMatchObject({ status: 200, body: { Balance: 0, Nuban: wallet.Wallet.Nuban } });
    const elsewhere = await call('GET', '/v2/sso/wallet', { headers: { ...bolt.headers, authorization } });
    expect(elsewhere.status).toBe(401);
    const twice = await call('GET', `/v2/sso/token?auth-code=${code}`, { headers: acme.headers });
    expect(twice.status).toBe(401);
  });

  it('5. money moves, and a receiver that first answers 500 gets the same signed bytes again', async () => {
    receiver.answer([500]);
    const path = `/v2/partner/wallet/${wallet.Reference}`;
    const credit = { amount: 1500.5, reference: 'salary', comment: 'Salary ₦' };
    const credited = await call('POST', `${path}/credit`, { headers: acme.headers, json: credit });
    expect(credited.body).toMatchObject({ Status: 'Successful', OpeningBalance: 0, ClosingBalance: 1500.5 });
    await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(2));
    const [first, second] = receiver.requests;
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);

    await call('POST', `${path}/debit`, { headers: acme.headers, json: { amount: 500.25, reference: 'rent' } });
    const over = await call('POST', `${path}/debit`, {
      headers: acme.headers,
      json: { amount: 5000, reference: 'car' },
    });
    expect(over).toMatchObject({ status: 422, body: { errorCode: 'INSUFFICIENT_FUNDS' } });
    await receiver.waitFor(({ body }) => JSON.parse(body.toString()).event === 'wallet.debited');

    for (const request of receiver.requests) {
      expect(request.headers['content-type']).toBe('application/json');
      expect(await isSigned(request, acme.clientId)).toBe(true);
      expect(await isSigned(request, bolt.clientId)).toBe(false);
    }
    expect(receiver.events.at(-1)).toMatchObject({
      event: 'wallet.debited',
      reference: wallet.Reference,
      data: {
        Amount: -500.25,
        Operation: 'Debit',
        Transaction: { Amount: 500.25, Fee: 0, Status: 'Successful', Reference: 'rent' },
        OpeningBalance: 1500.5,
        ClosingBalance: 1000.25,
      },
    });

    await eventually(async () => {
      const listed = await call<{ items: { status: string; attempts: number }[]; count: number }>(
        'GET',
        `/operator/v1/deliveries?partnerId=${acme.id}`,
        { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } },
      );
      expect(listed.body.count).toBe(2);
      expect(listed.body.items.map(({ status, attempts }) => [status, attempts])).toEqual([
        ['DELIVERED', 1],
        ['DELIVERED', 2],
      ]);
    });
  });

  it('6. an application gets a token, in JSON and by form, and anybody resolves Ada, redacted', async () => {
    const json = { applicationName: 'Market' };
    const registered = await call<{ data: Record<string, string> }>('POST', '/api/v1/applications', { json });
    expect(registered).toMatchObject({ status: 201, body: { success: true, errorCode: '', errors: [] } });
    const { client_id = '', client_secret = '' } = registered.body.data;
    for (const credentials of [{ json: { client_id, client_secret } }, { form: { client_id, client_secret } }]) {
      const token = await call('POST', '/api/v1/auth/token', credentials);
      expect(token).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } });
      expect(token.headers['cache-control']).toBe('no-store');
    }
    const resolved = await call<{ data: object }>('GET', '/api/v1/tags/@ada.obi');
    expect(resolved.body).toMatchObject({
      success: true,
      data: {
        tagString: 'ada.obi',
        qualifiedAddress: 'ada.obi@paytag',
        status: 'ACTIVE',
        canonicalOwner: { applicationName: 'PayTag', displayName: 'Ada Obi' },
        activeClaims: [],
      },
    });
    expect(resolved.text).not.toMatch(/email|externalId|metadata|phone|\+234|bvn/i);
  });
}

describe('the main job, with the queue on PostgreSQL', () => {
  story(serveHere, () => ({}));
});

describe('the main job, with the queue on Redis', () => {
  const redis = useRedis();
  story(startServer, () => ({ REDIS_URL: redis.url }));
});
