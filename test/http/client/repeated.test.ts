import { createPayTag, type PayTag, PayTagConnectionError, PayTagError } from 'paytag/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canBeRepeated, sentOnce } from '../../../src/client/send.js';
import { type TestPartner, useApp } from '../../support/app.ts';
import { operationsOf, readDocument } from '../../support/described.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, useReceiver } from '../../support/receiver.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const kyc = { firstName: 'Chidi', lastName: 'Okafor' };
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
