import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { brokenInvariants } from '../../support/books.ts';
import { auditOf } from '../../support/operators.ts';
import { refusalOf } from '../../support/refusals.ts';

const server = useApp();

describe('GET /applications/{id}', () => {
  const get = (id: string) => server.operate('GET', `/applications/${id}`);

  it('says who it is and how it stands, without its secret', async () => {
    const profile = { email: 'it@acme.example', imageUrl: 'https://acme.example/logo.png' };
    const payload = { applicationName: 'Acme', ...profile };
    const { data } = (await server.call('POST', '/api/v1/applications', { payload })).json();
    const answer = await get(data.applicationId);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      id: data.applicationId,
      name: 'Acme',
      namespace: data.namespace,
      clientId: data.client_id,
      ...profile,
      status: 'ACTIVE',
      createdAt: expect.any(String),
    });
    expect(answer.body).not.toContain(data.client_secret);
    expect((await get(data.applicationId.toUpperCase())).json()).toEqual(answer.json());
  });
});

describe('POST /applications/{id}/fund', () => {
  const fund = (id: string, body: object) => server.operate('POST', `/applications/${id}/fund`, body);

  it('adds to the settlement wallet and answers its balance, in each currency', async () => {
    const { applicationId: id, headers } = await newApplication(server);
    const naira = await fund(id, { amount: 1000.5, reference: `a-${id}` });
    expect(naira.json()).toEqual({ currency: 'NGN', balance: 1_001_000.5 });
    const points = await fund(id, { amount: 7, currency: 'FP', reference: `b-${id}` });
    expect(points.json()).toEqual({ currency: 'FP', balance: 7 });
    const wallet = await server.call('GET', '/api/v1/wallet', { headers });
    expect(wallet.json()).toMatchObject({ data: { availableAmount: 1_001_000.5 } });
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('a repeated reference funds once, answers as it did, and is in the audit log once', async () => {
    const { applicationId: id } = await newApplication(server);
    const first = await fund(id, { amount: 50, currency: 'FP', reference: `twice-${id}` });
    await fund(id, { amount: 1, currency: 'FP', reference: `between-${id}` });
    expect((await fund(id, { amount: 50, currency: 'FP', reference: `twice-${id}` })).json()).toEqual(first.json());
    const audited = await auditOf(server, id);
    expect(audited.filter(({ action }) => action === 'application.fund')).toMatchObject([
      { actor: 'operator:root', before: { currency: 'FP', balance: '0' }, after: { currency: 'FP', balance: '5000' } },
      {
        actor: 'operator:root',
        before: { currency: 'FP', balance: '5000' },
        after: { currency: 'FP', balance: '5100' },
      },
    ]);
  });

  it('409: a reference that stands for another amount of this application, and for no other application', async () => {
    const [one, two] = [await newApplication(server), await newApplication(server)];
    await fund(one.applicationId, { amount: 1, reference: 'shared' });
    expect(refusalOf(await fund(one.applicationId, { amount: 2, reference: 'shared' }))).toEqual([
      409,
      'REFERENCE_REUSED',
    ]);
    expect((await fund(two.applicationId, { amount: 2, reference: 'shared' })).statusCode).toBe(200);
  });

  it('422: more than a wallet can hold', async () => {
    const { applicationId: id } = await newApplication(server);
    const answer = await fund(id, { amount: 9_999_999_999_999.99, reference: `full-${id}` });
    expect(refusalOf(answer)).toEqual([422, 'BALANCE_EXCEEDED']);
  });
});

describe('POST /applications/{id}/settlement', () => {
  const settle = (id: string, body: object) => server.operate('POST', `/applications/${id}/settlement`, body);

  it('takes from the settlement wallet, once, and answers its balance', async () => {
    const { applicationId: id } = await newApplication(server);
    const body = { amount: 1000.5, reference: 'paid-out' };
    const first = await settle(id, body);
    expect(first.json()).toEqual({ currency: 'NGN', balance: 998_999.5 });
    await settle(id, { amount: 1, reference: 'more' });
    expect((await settle(id, body)).json()).toEqual(first.json());
    expect(await brokenInvariants(server)).toEqual([]);
  });

  it('422: more than is in it', async () => {
    const { applicationId: id } = await newApplication(server);
    expect(refusalOf(await settle(id, { amount: 1_000_000.01, reference: 'r' }))).toEqual([422, 'INSUFFICIENT_FUNDS']);
  });
});
