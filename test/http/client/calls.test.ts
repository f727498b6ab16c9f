import { createPayTag, createPayTagApplication, type PayTag, PayTagConnectionError, PayTagError } from 'paytag/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canBeRepeated, sentOnce } from '../../../src/client/send.js';
import { type TestPartner, useApp } from '../../support/app.ts';
import { newApplication, operateApplication } from '../../support/application.ts';
import { operationsOf, readDocument } from '../../support/described.ts';
import { eventually } from '../../support/eventually.ts';
import { newCustomer, PASSWORD, type Person } from '../../support/onboarding.ts';
import { type Answer, useReceiver } from '../../support/receiver.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const kyc = { firstName: 'Chidi', lastName: 'Okafor' };

describe('a call by the client', () => {
  const server = useApp();
  let origin: string;
  let partner: TestPartner;
  let paytag: PayTag;
  beforeAll(async () => {
    origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
    partner = await server.newPartner({ float: 1000 });
    paytag = createPayTag({ ...partner, baseUrl: `${origin}/v2` });
  });
  /** The refusal of a call that must not succeed. */
  async function refusal(call: Promise<unknown>): Promise<PayTagError> {
    const error = await call.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PayTagError);
    return error as PayTagError;
  }

  describe('a partner', () => {
    it('calls operations by their path, and is given what they answer', async () => {
      const { Reference: reference, Wallet } = await paytag.post('/partner/wallet', { body: { kyc } });
      expect(Wallet.TotalAmount).toBe(0);
      const path = { reference };
      const body = { amount: 70.25, reference: 'salary' };
      const credited = await paytag.post('/partner/wallet/{reference}/credit', { params: { path }, body });
      expect(credited).toMatchObject({ Type: 'PARTNER_WALLET_CREDIT', Amount: 70.25, ClosingBalance: 70.25 });
      const { items, count } = await paytag.get('/partner/wallet/{reference}/history', {
        params: { path, query: { limit: 1 } },
      });
      expect([items.length, count]).toEqual([1, 1]);
      const url = 'https://acme.example/hooks';
      expect(await paytag.put('/partner/webhook', { body: { url } })).toMatchObject({ url });
    });

    it('is thrown a refusal with its code, its status, what is wrong, and the id to look for in the log', async () => {
      const params = { path: { reference: 'PW-none' } };
      const unknown = await refusal(paytag.get('/partner/wallet/{reference}', { params }));
      expect(unknown).toMatchObject({ name: 'PayTagError', status: 404, errorCode: 'WALLET_NOT_FOUND' });
      expect(server.logged).toContain(unknown.requestId);
      const invalid = await refusal(paytag.post('/partner/wallet', { body: { kyc: { ...kyc, firstName: '7' } } }));
      expect(invalid).toMatchObject({ status: 400, errorCode: 'INVALID_PARAMETER' });
      expect(invalid.errors.join()).toContain('firstName');
      const stranger = createPayTag({ ...partner, baseUrl: `${origin}/v2`, apiKey: 'sk_sandbox_wrong' });
      expect(await refusal(stranger.get('/partner/float'))).toMatchObject({ status: 401 });
    });

    it('gives an Idempotency-Key of its own, and gets the answer of the first call under it', async () => {
      const options = { params: { header: { 'idempotency-key': 'wallet-of-chidi' } }, body: { kyc } };
      const first = await paytag.post('/partner/wallet', options);
      expect(await paytag.post('/partner/wallet', options)).toEqual(first);
      expect((await paytag.post('/partner/wallet', { body: { kyc } })).Reference).not.toBe(first.Reference);
    });
  });

  describe('a customer', () => {
    let ada: Person;
    beforeAll(async () => {
      ada = await newCustomer(server, partner);
    });

    it('logs in by code and token, and the partner acts for them with it', async () => {
      const body = { paytag: ada.paytag, password: PASSWORD };
      const redirect = await paytag.post('/sso/auth-code', { params: { query: { scope: 'profile' } }, body });
      const code = new URL(redirect).searchParams.get('auth-code') ?? '';
      const token = await paytag.get('/sso/token', { params: { query: { 'auth-code': code } } });
      const customer = paytag.customer(token);

      expect((await customer.get('/sso/wallet')).Balance).toBe(0);
      expect(
        Buffer.from(await customer.get('/sso/qr'), 'base64')
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
      expect(await customer.delete('/sso/beneficiary', { body: { paytag: 'bola' } })).toBe(false);
      await customer.delete('/sso/token');
      expect(await refusal(customer.get('/sso/wallet'))).toMatchObject({ status: 401 });
    });
  });

  describe('an application', () => {
    const applicationAt = (given: { client_id: string; client_secret: string }, asked: string[] = []) =>
      createPayTagApplication({
        baseUrl: `${origin}/api`,
        clientId: given.client_id,
        clientSecret: given.client_secret,
        fetch: (request) => {
          asked.push(new URL(request.url).pathname);
          return fetch(request);
        },
      });
    const tokensIn = (asked: string[]) => asked.filter((path) => path === '/api/v1/auth/token').length;

    it('gets one token for many calls, and is given what stands in the Envelope', async () => {
      const asked: string[] = [];
      const application = applicationAt(await newApplication(server), asked);
      const wallets = await Promise.all([1, 2, 3].map(() => application.get('/v1/wallet')));
      expect(wallets.map(({ totalAmount }) => totalAmount)).toEqual([1_000_000, 1_000_000, 1_000_000]);
      expect(tokensIn(asked)).toBe(1);
      const subject = await application.post('/v1/subjects', { body: { externalId: 'till-1' } });
      const body = { tagString: 'market-till', subjectId: subject.id };
      expect((await application.post('/v1/tags', { body })).canonicalOwner?.externalId).toBe('till-1');
    });

    it('gets a new token when the one it has is not taken any more, and calls again', async () => {
      const asked: string[] = [];
      const application = applicationAt(await newApplication(server), asked);
      await application.post('/v1/subjects', { body: { externalId: 'till-2' } });
      server.clock.advance(2 * 3600 * 1000);
      const tag = { body: { tagString: 'late-till', externalId: 'till-2' } };
      expect((await application.post('/v1/tags', tag)).tagString).toBe('late-till');
      server.clock.advance(2 * 3600 * 1000);
      const read = await application.get('/v1/tags/{tag}', { params: { path: { tag: 'late-till' } } });
      expect(read.canonicalOwner?.externalId).toBe('till-2');
      expect(tokensIn(asked)).toBe(3);
    });

    it('is thrown what the token endpoint says, and asks it again for the next call', async () => {
      const made = await newApplication(server);
      const wrong = applicationAt({ ...made, client_secret: 'as_sandbox_wrong' });
      expect(await refusal(wrong.get('/v1/wallet'))).toMatchObject({ status: 401 });

      const application = applicationAt(made);
      await operateApplication(server, made.applicationId, 'suspend');
      expect((await refusal(application.get('/v1/wallet'))).status).toBeGreaterThanOrEqual(401);
      await operateApplication(server, made.applicationId, 'restore');
      expect((await application.get('/v1/wallet')).totalAmount).toBe(1_000_000);
    });
  });
});

describe('a call sent again', () => {
  const server = useApp();
  let partner: TestPartner;
  beforeAll(async () => {
    partner = await server.newPartner({ float: 1000 });
  });

  describe('where answers are lost', () => {
    let proxy: TcpProxy;
    let paytag: PayTag;
    let keys: (string | null)[] = [];
    beforeAll(async () => {
      proxy = await startTcpProxy(await server.app.listen({ host: '127.0.0.1', port: 0 }));
      paytag = createPayTag({
        ...partner,
        baseUrl: `${proxy.url}v2`,
        fetch: (request) => {
          keys.push(request.headers.get('idempotency-key'));
          return fetch(request);
        },
      });
    });
    afterAll(() => proxy?.close());
    beforeEach(() => {
      keys = [];
    });

    it('a POST is sent again under its own Idempotency-Key, and one wallet is made', async () => {
      proxy.loseAnswers(2);
      const { Reference } = await paytag.post('/partner/wallet', { body: { kyc } });
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
      expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
      const { items, count } = await paytag.get('/partner/wallet');
      expect([count, items[0]?.Reference]).toEqual([1, Reference]);
    });

    it('money moves once, whether its answer or its request was lost', async () => {
      const { Reference: reference } = await paytag.post('/partner/wallet', { body: { kyc } });
      const credit = (name: string) =>
        paytag.post('/partner/wallet/{reference}/credit', {
          params: { path: { reference } },
          body: { amount: 100, reference: name },
        });
      proxy.loseAnswers(1);
      expect((await credit('answer-lost')).ClosingBalance).toBe(100);
      proxy.loseRequests(1);
      expect((await credit('request-lost')).ClosingBalance).toBe(200);
      const history = await paytag.get('/partner/wallet/{reference}/history', { params: { path: { reference } } });
      expect(history.count).toBe(2);
    });

    it('a password is not tried twice', async () => {
      proxy.loseAnswers(1);
      const body = { paytag: 'nobody', password: 'a password' };
      await expect(paytag.post('/sso/auth-code', { body })).rejects.toThrow(PayTagConnectionError);
      expect(keys).toEqual([null]);
    });
  });

  describe('where the server refuses for now', () => {
    const flaky = useReceiver();
    beforeEach(() => flaky.reset());
    const float = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"items":[]}' };
    const call = (plan: readonly Answer[], options: { retries?: number; timeoutMs?: number } = {}) => {
      flaky.answer(plan);
      return createPayTag({ ...partner, baseUrl: new URL(flaky.url).origin, ...options });
    };

    it.each<[string, Answer]>([
      ['502', 502],
      ['503', 503],
      ['429 with Retry-After', { status: 429, headers: { 'retry-after': '0' } }],
      ['a broken connection', 'drop'],
      ['409 because the first still runs', { status: 409, body: '{"errorCode":"IDEMPOTENCY_KEY_IN_FLIGHT"}' }],
    ])('after %s the request is sent again', async (_, answer) => {
      expect(await call([answer, float]).get('/partner/float')).toEqual({ items: [] });
      expect(flaky.requests).toHaveLength(2);
    });

    it.each<[string, Answer]>([
      ['500', 500],
      ['429 without Retry-After', 429],
      ['409 of another kind', { status: 409, body: '{"errorCode":"IDEMPOTENCY_KEY_REUSED"}' }],
      ['a wait that is too long', { status: 503, headers: { 'retry-after': '3600' } }],
    ])('after %s it is not', async (_, answer) => {
      await expect(call([answer, float]).get('/partner/float')).rejects.toThrow(PayTagError);
      expect(flaky.requests).toHaveLength(1);
    });

    it('a request is sent so often and no more, and the last answer is thrown', async () => {
      const error = await call(Array<Answer>(9).fill(503), { retries: 2 })
        .get('/partner/float')
        .catch((caught: unknown) => caught);
      expect(error).toMatchObject({ status: 503, errorCode: '', errors: [], requestId: '' });
      expect(flaky.requests).toHaveLength(3);
    });

    it('a refusal says when to come again', async () => {
      const busy = { status: 429, headers: { 'retry-after': '60' }, body: '{"errorCode":"TOO_MANY_REQUESTS"}' };
      const error = await call([busy])
        .get('/partner/float')
        .catch((caught: unknown) => caught);
      expect(error).toMatchObject({ errorCode: 'TOO_MANY_REQUESTS', retryAfterS: 60 });
    });

    it('a server that never answers is given up after the timeout, as often as is allowed', async () => {
      const silent = call(['hang', 'hang', 'hang'], { retries: 1, timeoutMs: 50 });
      await expect(silent.get('/partner/float')).rejects.toThrow(PayTagConnectionError);
      expect(flaky.requests).toHaveLength(2);
    });

    it('a caller that has given up is not waited for', async () => {
      const caller = new AbortController();
      const asked = call(['hang', 'hang']).get('/partner/float', { signal: caller.signal });
      await eventually(() => expect(flaky.requests).toHaveLength(1));
      caller.abort();
      await expect(asked).rejects.toThrow('aborted');
      expect(flaky.requests).toHaveLength(1);
    });

    it('a DELETE is not sent again: its second answer would be another one', async () => {
      await expect(call([503, float]).delete('/sso/token')).rejects.toThrow(PayTagError);
      expect(flaky.requests).toHaveLength(1);
    });
  });

  it('a POST that may be sent again takes an Idempotency-Key, or gives a token', async () => {
    const documents = [
      ['/v2/openapi.json', '/v2'],
      ['/api/openapi.json', '/api'],
    ] as const;
    for (const [url, base] of documents) {
      const posts = operationsOf(await readDocument(server, url)).filter(({ method }) => method === 'POST');
      for (const { path, operation } of posts) {
        const takesKey = operation.parameters?.some(({ name }) => name === 'idempotency-key') === true;
        const relative = path.replace(base, '');
        expect([path, canBeRepeated('POST', relative)]).toEqual([path, takesKey || relative === '/v1/auth/token']);
      }
    }
    expect(sentOnce.size).toBe(6);
  });
});
