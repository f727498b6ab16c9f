import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#lib/database.ts';
import { listRails } from '#modules/rails';
import { useApp } from '../../support/app.ts';
import { payoutsOf, scriptedProvider } from '../../support/payouts.ts';
import { PAYSTACK_ENV, PAYSTACK_KEY } from '../../support/paystack-hooks.ts';
import { useStandIn } from '../../support/provider.ts';

const standIn = useStandIn();
const server = useApp(() => ({ ...PAYSTACK_ENV, PAYOUT_PAYSTACK_URL: standIn.origin }));
const { payOut, carry } = payoutsOf(server);

const balances = [
  { currency: 'USD', balance: 1 },
  { currency: 'NGN', balance: 170_050 },
];
const shown = async () => {
  const answer = await server.operate('GET', '/rails');
  expect(answer.statusCode).toBe(200);
  return answer.json<{ items: Record<string, unknown>[] }>().items;
};

beforeEach(() => {
  standIn.receiver.reset();
  const body = JSON.stringify({ status: true, message: 'Balances retrieved', data: balances });
  standIn.receiver.answer(() => ({ status: 200, headers: { 'content-type': 'application/json' }, body }));
});

describe('200', () => {
  it('shows what stands at each provider and with us', async () => {
    await payOut({ amount: 1_000.5 });
    await carry(scriptedProvider({ name: 'paystack' }).provider);
    expect(await shown()).toEqual([
      { provider: 'simulator', accounts: [{ account: 'CLEARING_COLLECTION', balance: 0 }] },
      {
        provider: 'paystack',
        balance: 1_700.5,
        answers: true,
        accounts: [{ account: 'CLEARING_PAYOUT', balance: 1_000.5 }],
      },
    ]);
    const [asked] = standIn.receiver.requests;
    expect([asked?.path, asked?.headers.authorization]).toEqual(['/balance', `Bearer ${PAYSTACK_KEY}`]);
  });

  it('names the payout whose end nobody has known for the longest time, and the last day that was compared', async () => {
    await payOut();
    await carry(scriptedProvider({ name: 'paystack', sends: ['UNKNOWN'] }).provider);
    await payOut();
    const unknown = scriptedProvider({ name: 'paystack', sends: ['UNKNOWN'], verifies: ['UNKNOWN'] });
    await carry(unknown.provider);
    await server.operate('POST', '/rails/simulator/compare', { date: '2026-02-01' });
    await server.operate('POST', '/rails/simulator/compare', { date: '2026-01-31' });
    const { items: payouts } = (await server.operate('GET', '/payouts?state=UNKNOWN')).json();
    expect(payouts).toHaveLength(2);
    expect(await shown()).toMatchObject([
      { lastComparison: { date: '2026-02-01', differences: 0 } },
      { oldestUnknownPayout: { id: payouts[1].id, sentAt: payouts[1].sentAt } },
    ]);
  });

  it('is nothing where nobody moves money for us, and needs no database for that', async () => {
    const db = { execute: async () => Promise.reject(new Error('away')) } as unknown as Database;
    expect(await listRails({ ...server.resources, db, rails: [] })).toEqual([]);
  });

  it.each([
    ['fails', () => 500],
    ['says what is no balance', () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' })],
  ])('a provider that %s is shown all the same', async (_, answer) => {
    standIn.receiver.answer(answer);
    const [, paystack] = await shown();
    expect(paystack).toMatchObject({ provider: 'paystack', answers: false });
    expect(paystack).not.toHaveProperty('balance');
  });
});
