import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { brokenInvariants } from '../../support/books.ts';
import { NOBODY, refusalOf } from '../../support/refusals.ts';

const server = useApp();
const settle = (id: string, body: object) => server.operate('POST', `/applications/${id}/settlement`, body);

describe('200', () => {
  it('takes from the settlement wallet, once, and answers its balance', async () => {
    const { applicationId: id } = await newApplication(server);
    const body = { amount: 1000.5, reference: 'paid-out' };
    const first = await settle(id, body);
    expect(first.json()).toEqual({ currency: 'NGN', balance: 998_999.5 });
    await settle(id, { amount: 1, reference: 'more' });
    expect((await settle(id, body)).json()).toEqual(first.json());
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('400', () => {
  it('an amount of nothing', async () => {
    const { applicationId } = await newApplication(server);
    expect((await settle(applicationId, { amount: 0, reference: 'x' })).statusCode).toBe(400);
  });
});

describe('404', () => {
  it('an application nobody knows', async () => {
    expect(refusalOf(await settle(NOBODY, { amount: 1, reference: 'x' }))).toEqual([404, 'APPLICATION_NOT_FOUND']);
  });
});

describe('409', () => {
  it('a reference that stands for another amount, or for a funding', async () => {
    const { applicationId: id } = await newApplication(server);
    await settle(id, { amount: 1, reference: 'r' });
    await server.operate('POST', `/applications/${id}/fund`, { amount: 1, reference: 'f' });
    for (const body of [
      { amount: 2, reference: 'r' },
      { amount: 1, reference: 'f' },
    ]) {
      expect(refusalOf(await settle(id, body))).toEqual([409, 'REFERENCE_REUSED']);
    }
  });
});

describe('422', () => {
  it('more than is in it', async () => {
    const { applicationId: id } = await newApplication(server);
    expect(refusalOf(await settle(id, { amount: 1_000_000.01, reference: 'r' }))).toEqual([422, 'INSUFFICIENT_FUNDS']);
  });
});
