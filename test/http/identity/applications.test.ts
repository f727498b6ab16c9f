import { describe, expect, it } from 'vitest';
import { findApplicationAccount } from '#modules/ledger';
import {
  type ApplicationAction,
  type ApplicationStatus,
  applicationActions,
  applicationStatuses,
} from '../../../src/modules/clients/application-status.ts';
import { registrable } from '../../../src/modules/clients/return-urls.ts';
import { useApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import { brokenInvariants } from '../../support/books.ts';
import { TARGET } from '../../support/deliveries.ts';
import { auditOf } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newSide, offer } from '../../support/switch.ts';

const server = useApp();

describe('POST /applications', () => {
  const limited = useApp({ RATE_LIMIT_REGISTRATIONS_PER_H: '3', TRUSTED_PROXIES: '10.0.0.1' });
  const register = (payload: object) => server.call('POST', '/api/v1/applications', { payload });

  it('answers the credentials, once, in the Envelope', async () => {
    const payload = {
      applicationName: 'Mama Put & Söhne',
      email: 'dev@example.com',
      imageUrl: 'https://img.example/logo.png',
      webhookUrl: 'http://127.0.0.1:9/hook',
    };
    const answer = await register(payload);
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      success: true,
      message: expect.any(String),
      errorCode: '',
      errors: [],
      timestamp: expect.any(String),
      data: {
        applicationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        applicationName: 'Mama Put & Söhne',
        namespace: 'mama-put-sohne',
        status: 'ACTIVE',
        client_id: expect.stringMatching(/^app_[0-9a-f]{32}$/),
        client_secret: expect.stringMatching(/^as_sandbox_[\w-]{43}$/),
        webhookUrl: 'http://127.0.0.1:9/hook',
        webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        createdAt: expect.any(String),
      },
    });
    expect(server.logged).not.toContain(answer.json<{ data: TestApplication }>().data.client_secret);
  });

  it('gives each application a namespace of its own though they ask for the same at once', async () => {
    const names = ['Acme Pay', 'acme pay', 'ACME-PAY', 'متجر', 'سوق'];
    const made = await Promise.all(names.map((name) => newApplication(server, name)));
    const namespaces = made.map(({ namespace }) => namespace);
    expect(new Set(namespaces).size).toBe(names.length);
    for (const namespace of namespaces) expect(namespace).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(namespaces).toContain('acme-pay');
  });

  it.each(['Bank', 'Wallet', 'متجر'])(
    'names that come near no reserved one may be had: %s',
    async (applicationName) => {
      expect((await register({ applicationName })).statusCode).toBe(201);
    },
  );

  const from = async (remoteAddress: string, forwardedFor: string) =>
    limited.call('POST', '/api/v1/applications', {
      payload: { applicationName: 'Acme' },
      remoteAddress,
      headers: { 'x-forwarded-for': forwardedFor },
    });

  it('429: refuses an address that has registered enough, in the Envelope, until the hour has passed', async () => {
    for (let n = 0; n < 3; n++) expect((await from('10.0.0.1', '192.0.2.1')).statusCode).toBe(201);
    const refused = await from('10.0.0.1', '192.0.2.1');
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ success: false, errorCode: 'TOO_MANY_REQUESTS', data: null });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect((await from('10.0.0.1', '192.0.2.2')).statusCode).toBe(201);
    limited.clock.advance(3_600_000);
    expect((await from('10.0.0.1', '192.0.2.1')).statusCode).toBe(201);
  });

  it('429: counts refused webhook targets too, so that DNS look-ups are limited', async () => {
    const ask = () =>
      limited.call('POST', '/api/v1/applications', {
        payload: { applicationName: 'Acme', webhookUrl: 'https://10.0.0.1/hook' },
        remoteAddress: '198.51.100.7',
      });
    for (let n = 0; n < 3; n++) expect((await ask()).json().errorCode).toBe('WEBHOOK_TARGET_REFUSED');
    expect((await ask()).statusCode).toBe(429);
  });

  it('429: trusts X-Forwarded-For only from a trusted proxy', async () => {
    for (let n = 0; n < 3; n++) expect((await from('10.9.9.9', `192.0.2.1${n}`)).statusCode).toBe(201);
    expect((await from('10.9.9.9', '192.0.2.99')).statusCode).toBe(429);
  });

  it('429: counts a whole IPv6 network as one address', async () => {
    for (let n = 0; n < 3; n++) expect((await from('10.0.0.1', `2001:db8:1:2::${n}`)).statusCode).toBe(201);
    expect((await from('10.0.0.1', '2001:db8:1:2:ffff::1')).statusCode).toBe(429);
    expect((await from('10.0.0.1', '2001:db8:1:3::1')).statusCode).toBe(201);
  });
});

describe('registration with approval', () => {
  const alone = useApp({ APPLICATION_REGISTRATION: 'approval' });

  describe('with APPLICATION_REGISTRATION=approval', () => {
    it('an application gets its credentials, and no token while it waits', async () => {
      const { client_id, client_secret } = await newApplication(alone);
      const payload = { client_id, client_secret };
      const answer = await alone.call('POST', '/api/v1/auth/token', { payload });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({ error: 'unauthorized_client', errorCode: 'APPLICATION_NOT_ACTIVE' });
      const wrong = await alone.call('POST', '/api/v1/auth/token', { payload: { ...payload, client_secret: 'x' } });
      expect(wrong.statusCode).toBe(401);
    });
  });
});

describe('POST /applications/secret/rotate', () => {
  const rotate = ({ headers }: TestApplication, payload: object) =>
    server.call('POST', '/api/v1/applications/secret/rotate', { headers, payload });
  const askForToken = ({ client_id }: TestApplication, client_secret: string) =>
    server.call('POST', '/api/v1/auth/token', { payload: { client_id, client_secret } });

  it('answers a new secret, and the previous one still works for a day', async () => {
    const acme = await newApplication(server);
    const answer = await rotate(acme, { client_secret: acme.client_secret });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { data } = answer.json();
    expect(data).toEqual({
      client_id: acme.client_id,
      client_secret: expect.stringMatching(/^as_sandbox_[\w-]{43}$/),
      previousUntil: expect.any(String),
    });
    for (const secret of [data.client_secret, acme.client_secret]) {
      expect((await askForToken(acme, secret)).statusCode).toBe(200);
    }
  });

  it('rotates once, though fifty ask at once', async () => {
    const acme = await newApplication(server);
    const payload = { client_secret: acme.client_secret };
    const answers = await Promise.all(Array.from({ length: 50 }, () => rotate(acme, payload)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(49);
  });
});

describe('GET /applications/webhook', () => {
  const alone = useApp({ WEBHOOK_SOURCE_ADDRESSES: '203.0.113.7,2001:db8:7::/64' });
  const see = (headers: Record<string, string> = {}) => alone.call('GET', '/api/v1/applications/webhook', { headers });

  it('shows where its events go, how many wait, and how old its secret is, not the secret', async () => {
    const [shop, cabs] = [await newSide(alone, 'Shop'), await newSide(alone, 'Cabs')];
    await offer(alone, shop, cabs);
    const answer = await see(cabs.headers);
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const moment = expect.any(String);
    expect(answer.json().data).toEqual({
      status: 'ACTIVE',
      pending: 1,
      secret: { since: moment },
      sourceAddresses: ['203.0.113.7', '2001:db8:7::/64'],
      createdAt: moment,
      updatedAt: moment,
    });
    expect(answer.body).not.toContain(cabs.webhookSecret);
  });

  it('says the URL that it was registered with', async () => {
    const { headers } = await newApplication(alone, 'Shop', { webhookUrl: TARGET });
    expect((await see(headers)).json().data).toMatchObject({ url: TARGET, pending: 0 });
  });
});

describe('PUT /applications/webhook', () => {
  const url = '/api/v1/applications/webhook';
  const put = ({ headers }: Pick<TestApplication, 'headers'>, payload: object) =>
    server.call('PUT', url, { headers, payload });
  const see = async ({ headers }: TestApplication) => (await server.call('GET', url, { headers })).json().data;

  async function dueOf({ applicationId }: TestApplication) {
    const { rows } = await server.owner.query(
      'select d.due_at from webhooks.delivery d join outbox.receiver r on r.id = d.receiver_id where r.owner_id = $1',
      [applicationId],
    );
    return rows;
  }

  it('sends its events there, waiting ones included, leaves others’ alone, and is in the audit log', async () => {
    const [shop, cabs] = [await newSide(server, 'Shop'), await newSide(server, 'Cabs')];
    await offer(server, shop, cabs);
    expect(await dueOf(cabs)).toEqual([{ due_at: null }]);
    const answer = await put(cabs, { url: TARGET });
    expect([answer.statusCode, answer.json().data]).toEqual([200, await see(cabs)]);
    expect(answer.json().data.url).toBe(TARGET);
    expect(await dueOf(cabs)).toEqual([{ due_at: expect.any(Date) }]);
    expect(await see(shop)).not.toHaveProperty('url');
    expect((await auditOf(server, cabs.applicationId)).at(-1)).toMatchObject({
      actor: `application:${cabs.applicationId}`,
      action: 'webhook.url',
      before: { webhookUrl: null },
      after: { webhookUrl: TARGET },
    });
  });

  it.each([null, ''])('%j keeps events until there is one again', async (none) => {
    const shop = await newApplication(server, 'Shop', { webhookUrl: TARGET });
    expect((await put(shop, { url: none })).statusCode).toBe(200);
    expect(await see(shop)).not.toHaveProperty('url');
  });

  it.each([
    ['no url', {}, 'INVALID_PARAMETER'],
    ['another scheme', { url: 'ftp://shop.example/' }, 'INVALID_PARAMETER'],
    ['a private address', { url: 'https://10.0.0.1/hooks' }, 'WEBHOOK_TARGET_REFUSED'],
  ])('400: %s, and the one before stays', async (_, payload, errorCode) => {
    const shop = await newApplication(server, 'Shop', { webhookUrl: TARGET });
    expect(refusalOf(await put(shop, payload))).toEqual([400, errorCode]);
    expect((await see(shop)).url).toBe(TARGET);
  });
});

describe('GET /applications/return-urls', () => {
  it('lists none until some are registered', async () => {
    const { headers } = await newApplication(server);
    const answer = await server.call('GET', '/api/v1/applications/return-urls', { headers });
    expect([answer.statusCode, answer.json().data]).toEqual([200, { returnUrls: [] }]);
  });
});

describe('PUT /applications/return-urls', () => {
  const url = '/api/v1/applications/return-urls';
  const put = ({ headers }: Pick<TestApplication, 'headers'>, returnUrls: unknown) =>
    server.call('PUT', url, { headers, payload: { returnUrls } });
  const see = async ({ headers }: TestApplication) =>
    (await server.call('GET', url, { headers })).json().data.returnUrls;

  it('registers these pages in place of those before, leaves others’ alone, and is in the audit log', async () => {
    const [shop, cabs] = [await newApplication(server, 'Shop'), await newApplication(server, 'Cabs')];
    const before = ['https://shop.example/linked', 'http://localhost:5173/done'];
    expect((await put(shop, [...before, ...before])).json().data).toEqual({ returnUrls: before });
    expect((await put(shop, ['https://SHOP.example:443/other'])).statusCode, 'read otherwise than written').toBe(400);
    expect((await put(shop, ['https://shop.example/other'])).statusCode).toBe(200);
    expect(await see(shop)).toEqual(['https://shop.example/other']);
    expect(await see(cabs)).toEqual([]);
    expect((await auditOf(server, shop.applicationId)).at(-1)).toMatchObject({
      actor: `application:${shop.applicationId}`,
      action: 'application.return-urls',
      before: { returnUrls: before },
      after: { returnUrls: ['https://shop.example/other'] },
    });
    expect((await put(shop, [])).statusCode).toBe(200);
    expect(await see(shop)).toEqual([]);
  });

  it('400: for http on the own machine in live', () => {
    expect(() => registrable('live', ['http://localhost:5173/done'])).toThrow('must be an https URL');
    expect(registrable('live', ['https://localhost/done'])).toEqual(['https://localhost/done']);
  });
});

describe('the status of an application', () => {
  const alone = useApp({ APPLICATION_REGISTRATION: 'approval' });

  const actions = Object.keys(applicationActions) as ApplicationAction[];
  const ways: Record<ApplicationStatus, ApplicationAction[]> = {
    PENDING: [],
    ACTIVE: ['approve'],
    SUSPENDED: ['approve', 'suspend'],
  };
  const operate = (id: string, what: ApplicationAction) =>
    alone.operate('POST', `/applications/${id}/${what}`, { reason: 'a test' });

  describe('an application changes as the table says, and not otherwise', () => {
    it.each(applicationStatuses.flatMap((from) => actions.map((action) => [from, action] as const)))(
      'from %s by %s',
      async (from, action) => {
        const payload = { applicationName: 'Acme' };
        const { data } = (await alone.call('POST', '/api/v1/applications', { payload })).json();
        for (const before of ways[from]) await operate(data.applicationId, before);
        const isAllowed = applicationActions[action].from.some((allowed) => allowed === from);
        expect((await operate(data.applicationId, action)).statusCode).toBe(isAllowed ? 200 : 409);
        const seen = (await alone.operate('GET', `/applications/${data.applicationId}`)).json();
        expect(seen.status).toBe(isAllowed ? applicationActions[action].to : from);
      },
    );
  });
});

describe('settlement wallets', () => {
  describe('in the sandbox', () => {
    const alone = useApp();

    it('test money comes from a posting of its own for each application, and the books tie', async () => {
      const made = await Promise.all(Array.from({ length: 5 }, () => newApplication(alone)));
      const { rows } = await alone.owner.query(
        `select owner_id, amount::text, status from ledger.transaction where type = 'APPLICATION_FUNDING'`,
      );
      expect(rows).toHaveLength(made.length);
      expect(new Set(rows.map(({ owner_id }) => owner_id))).toEqual(new Set(made.map((one) => one.applicationId)));
      expect(new Set(rows.map(({ amount, status }) => `${amount} ${status}`))).toEqual(
        new Set(['100000000 Successful']),
      );
      expect(await brokenInvariants(alone)).toEqual([]);
    });
  });

  describe('in staging', () => {
    const alone = useApp({ ENVIRONMENT: 'staging' });

    it('a new application’s wallets are empty, and never go below zero', async () => {
      const { applicationId, headers } = await newApplication(alone);
      for (const currency of ['NGN', 'FP'] as const) {
        const answer = await alone.call('GET', `/api/v1/wallet?currency=${currency}`, { headers });
        expect(answer.json()).toMatchObject({ data: { currency, totalAmount: 0, availableAmount: 0 } });
        const account = await findApplicationAccount(
          alone.resources.db,
          alone.resources.keyring,
          applicationId,
          currency,
        );
        expect(account).toMatchObject({ posted: 0n, floor: 0n, lockMode: 'strict', emits: false });
      }
    });
  });
});
