import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';
import { brokenInvariants } from '../../support/books.ts';

const server = useApp();
const fund = (id: string, body: object) => server.operate('POST', `/applications/${id}/fund`, body);

describe('200', () => {
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
});

describe('409', () => {
  it('a reference that stands for another amount of this application, and for no other application', async () => {
    const [one, two] = [await newApplication(server), await newApplication(server)];
    await fund(one.applicationId, { amount: 1, reference: 'shared' });
    const answer = await fund(one.applicationId, { amount: 2, reference: 'shared' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().errorCode).toBe('REFERENCE_REUSED');
    expect((await fund(two.applicationId, { amount: 2, reference: 'shared' })).statusCode).toBe(200);
  });
});

describe('422', () => {
  it('more than a wallet can hold', async () => {
    const { applicationId: id } = await newApplication(server);
    const answer = await fund(id, { amount: 9_999_999_999_999.99, reference: `full-${id}` });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errorCode).toBe('BALANCE_EXCEEDED');
  });
});
