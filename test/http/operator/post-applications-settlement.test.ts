import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';
import { brokenInvariants } from '../../support/books.ts';
import { refusalOf } from '../../support/refusals.ts';

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

describe('422', () => {
  it('more than is in it', async () => {
    const { applicationId: id } = await newApplication(server);
    expect(refusalOf(await settle(id, { amount: 1_000_000.01, reference: 'r' }))).toEqual([422, 'INSUFFICIENT_FUNDS']);
  });
});
