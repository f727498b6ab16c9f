import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../../support/app.ts';
import { newApplication } from '../../support/application.ts';

const server = useSharedApp();
const see = (headers: Record<string, string>, query = '') => server.call('GET', `/api/v1/wallet${query}`, { headers });

describe('200', () => {
  it('shows the naira wallet in the Envelope, with the test money of the sandbox', async () => {
    const { headers } = await newApplication(server);
    const answer = await see(headers);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      success: true,
      message: expect.any(String),
      errorCode: '',
      errors: [],
      timestamp: expect.any(String),
      data: {
        id: expect.any(Number),
        currency: 'NGN',
        totalAmount: 1_000_000,
        suspendedAmount: 0,
        blockedAmount: 0,
        availableAmount: 1_000_000,
        amount: 1_000_000,
        status: 'Enabled',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
    expect((await see(headers, '?currency=NGN')).json()).toMatchObject({ data: answer.json().data });
  });

  it('shows the wallet in points, which starts empty', async () => {
    const { headers } = await newApplication(server);
    expect((await see(headers, '?currency=FP')).json()).toMatchObject({ data: { currency: 'FP', totalAmount: 0 } });
  });

  it('shows each application its own', async () => {
    const [one, other] = [await newApplication(server), await newApplication(server)];
    const ids = await Promise.all([one, other].map(async ({ headers }) => (await see(headers)).json().data.id));
    expect(ids[0]).not.toBe(ids[1]);
  });
});

describe('200 of naira', () => {
  it.each(['', '?currency=', '?currency=%20', '?currency=%20NGN%20'])('%j', async (query) => {
    const { headers } = await newApplication(server);
    expect((await see(headers, query)).json()).toMatchObject({ data: { currency: 'NGN' } });
  });
});
