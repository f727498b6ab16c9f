import { describe, expect, it } from 'vitest';
import { carryPayouts } from '#modules/payouts';
import { payoutSimulator } from '../../../src/providers/payout/simulator.ts';
import { useApp } from '../../support/app.ts';
import { newReference } from '../../support/payments.ts';
import { ACCOUNT, payoutsOf, scriptedProvider } from '../../support/payouts.ts';
import { fundedWallet } from '../../support/wallets.ts';

const server = useApp({ FEE_PAYOUT: '25', FEE_STAMP_DUTY: '50>=100' });
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const payouts = payoutsOf(server);
const { payOut, read, walletNow, carry } = payouts;

const events = async (reference: string) => {
  const { rows } = await server.owner.query<{ event: string; body: string }>(
    `select event, body from outbox.event where body like '%"Reference":"' || $1 || '"%' order by id`,
    [reference],
  );
  return rows.map(({ event, body }) => ({ event, data: JSON.parse(body).data }));
};

describe('a payout', () => {
  it('holds amount and charges until it succeeds, and is told as one debit', async () => {
    const before = await walletNow();
    const reference = newReference();
    const ordered = await payOut({ reference, comment: 'rent' });
    expect(ordered.statusCode).toBe(200);
    expect(ordered.json()).toMatchObject({
      Type: 'PAYOUT',
      Status: 'Pending',
      Amount: 1000,
      Fee: 75,
      Reference: reference,
    });
    expect(ordered.json()).not.toHaveProperty('ClosingBalance');
    const held = await walletNow();
    expect(held).toMatchObject({ TotalAmount: before.TotalAmount, SuspendedAmount: before.SuspendedAmount + 1075 });
    expect(await events(reference)).toEqual([]);

    const { provider, sent } = scriptedProvider();
    await carry(provider);
    expect(sent).toMatchObject([{ amount: 100_000n, ...ACCOUNT, accountName: 'OKAFOR CHIDI' }]);
    const done = await read(reference);
    expect(done).toMatchObject({ Status: 'Successful', Amount: 1000, Fee: 75, Net: 1000 });
    const after = await walletNow();
    expect(after).toMatchObject({ TotalAmount: before.TotalAmount - 1075, SuspendedAmount: before.SuspendedAmount });
    expect(done.ClosingBalance).toBe(after.TotalAmount);
    expect(await events(reference)).toMatchObject([
      {
        event: 'wallet.debited',
        data: { Amount: -1075, Transaction: { Amount: 1000, Fee: 75, Reference: reference } },
      },
    ]);
  });
  it('that the provider refuses is Failed, says why, gives back what was held and tells nothing', async () => {
    const before = await walletNow();
    const reference = newReference();
    await payOut({ reference });
    await carry(scriptedProvider({ sends: ['FAILED'] }).provider);
    expect(await read(reference)).toMatchObject({ Status: 'Failed', FailureReason: 'PAYOUT_REFUSED' });
    expect(await walletNow()).toMatchObject({ AvailableAmount: before.AvailableAmount, SuspendedAmount: 0 });
    expect(await events(reference)).toEqual([]);
  });

  it('of unknown end is asked about at growing intervals, and never sent a second time', async () => {
    const reference = newReference();
    await payOut({ reference });
    const script = scriptedProvider({
      sends: ['UNKNOWN'],
      verifies: ['UNKNOWN', 'PENDING', 'NOT_FOUND', 'SUCCESSFUL'],
    });
    for (let run = 0; run < 5; run++) await carry(script.provider);
    expect(script.sent).toHaveLength(1);
    expect(script.asked).toBe(4);
    expect(await read(reference)).toMatchObject({ Status: 'Successful' });
  });

  it('that its provider never had counts as not sent after a while, and is given back', async () => {
    const reference = newReference();
    await payOut({ reference });
    const script = scriptedProvider({ sends: ['UNKNOWN'], verifies: ['NOT_FOUND', 'NOT_FOUND'] });
    await carry(script.provider);
    await carry(script.provider);
    expect(await read(reference)).toMatchObject({ Status: 'Pending' });
    await carry(script.provider, HOUR_MS);
    expect(await read(reference)).toMatchObject({ Status: 'Failed', FailureReason: 'PAYOUT_NOT_SENT' });
  });

  it('waits while its provider is away, and is sent when it is back', async () => {
    const reference = newReference();
    await payOut({ reference });
    const script = scriptedProvider({ sends: ['NOT_SENT', 'NOT_SENT', 'SUCCESSFUL'] });
    for (let run = 0; run < 3; run++) await carry(script.provider);
    expect(new Set(script.sent.map((order) => order.reference)).size).toBe(1);
    expect(script.asked).toBe(0);
    expect(await read(reference)).toMatchObject({ Status: 'Successful' });
  });

  it('that the bank sends back comes back by a posting that names it, charges included', async () => {
    const before = await walletNow();
    const reference = newReference();
    await payOut({ reference });
    const { provider } = scriptedProvider({ verifies: ['REVERSED', 'REVERSED'], recheckAfterMs: MINUTE_MS });
    await carry(provider);
    await carry(provider, HOUR_MS);
    await carry(provider, HOUR_MS);
    expect(await read(reference)).toMatchObject({ Status: 'Reversed' });
    expect(await walletNow()).toMatchObject({ TotalAmount: before.TotalAmount, SuspendedAmount: 0 });
    const { rows } = await server.owner.query<{ body: string }>(
      `select body from outbox.event where event = 'wallet.credited' and body like '%"ExternalReference":"' || $1 || '"%'`,
      [reference],
    );
    expect(rows.map(({ body }) => JSON.parse(body).data.Amount)).toEqual([1075]);
  });

  it('that was paid and of which its provider then has another is shown once, and asked about no more', async () => {
    const before = await walletNow();
    const reference = newReference();
    await payOut({ reference });
    const script = scriptedProvider({ verifies: ['DIFFERENT', 'DIFFERENT'], recheckAfterMs: MINUTE_MS });
    for (let run = 0; run < 3; run++) await carry(script.provider, HOUR_MS);
    expect(script.asked).toBe(1);
    expect(await read(reference)).toMatchObject({ Status: 'Successful' });
    expect(await walletNow()).toMatchObject({ TotalAmount: before.TotalAmount - 1075 });
    const { items } = (await server.operate('GET', '/payouts?contradicted=true')).json();
    expect(items).toMatchObject([{ state: 'SUCCESSFUL', contradiction: 'NOT_FOUND' }]);
  });

  it('of which the sandbox says nothing for an hour succeeds once time is marked forward', async () => {
    const reference = newReference();
    await payOut({ reference, amount: 500.03 });
    const runs = async () => {
      server.clock.advance(MINUTE_MS);
      await carryPayouts({ ...server.resources, payoutProvider: payoutSimulator(server.clock) });
    };
    await runs();
    await runs();
    expect(await read(reference)).toMatchObject({ Status: 'Pending' });
    const payload = { seconds: 3_600 };
    const moved = await server.call('POST', '/v2/sandbox/time', { headers: payouts.partner.headers, payload });
    expect(moved.json().moved.payouts).toBeGreaterThan(0);
    await runs();
    expect(await read(reference)).toMatchObject({ Status: 'Successful' });
  });

  it('of a wallet that was frozen before it was sent is not sent', async () => {
    const own = await fundedWallet(server, 5_000);
    const reference = newReference();
    const payload = { amount: 1000, reference, ...ACCOUNT };
    await server.call('POST', `/v2/partner/wallet/${own.wallet}/payout`, { headers: own.partner.headers, payload });
    await server.operate('PATCH', `/wallets/${own.wallet}`, { status: 'PND', reason: 'a freeze' });
    const script = scriptedProvider();
    await carry(script.provider);
    expect(script.sent).toEqual([]);
    const answer = await server.call('GET', `/v2/partner/transaction/${reference}`, { headers: own.partner.headers });
    expect(answer.json()).toMatchObject({ Status: 'Failed', FailureReason: 'WALLET_PND' });
  });

  it('that left is booked whatever the state of its wallet is by then', async () => {
    const own = await fundedWallet(server, 5_000);
    const reference = newReference();
    const payload = { amount: 1000, reference, ...ACCOUNT };
    await server.call('POST', `/v2/partner/wallet/${own.wallet}/payout`, { headers: own.partner.headers, payload });
    const script = scriptedProvider({ sends: ['PENDING'] });
    await carry(script.provider);
    await server.operate('PATCH', `/wallets/${own.wallet}`, { status: 'Blocked', reason: 'a freeze' });
    await carry(script.provider);
    const answer = await server.call('GET', `/v2/partner/transaction/${reference}`, { headers: own.partner.headers });
    expect(answer.json()).toMatchObject({ Status: 'Successful' });
  });

  it('is sent once however many workers look at the same moment', async () => {
    const references = Array.from({ length: 12 }, newReference);
    await Promise.all(references.map((reference) => payOut({ reference, amount: 200 })));
    const script = scriptedProvider();
    server.clock.advance(MINUTE_MS);
    const workers = Array.from({ length: 8 }, async () =>
      carryPayouts({ ...server.resources, payoutProvider: script.provider }),
    );
    await Promise.all(workers);
    expect(script.sent).toHaveLength(references.length);
    const statuses = await Promise.all(references.map(async (reference) => (await read(reference)).Status));
    expect(new Set(statuses)).toEqual(new Set(['Successful']));
  });
});

it('and the books tie afterwards', async () => {
  const check = (await server.operate('GET', '/ledger/check')).json<{
    ok: boolean;
    checks: { violations: number }[];
  }>();
  expect(check.checks.filter(({ violations }) => violations > 0)).toEqual([]);
  expect(check.ok).toBe(true);
});
