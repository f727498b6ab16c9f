import { expect, it } from 'vitest';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { bookOf, newReference, newWallet, paymentsOf, resolve, reverse, statusEvents } from '../../support/payments.ts';
import { repetitions } from '../../support/repetitions.ts';
import { changeWallet, fundedWallet, refund } from '../../support/wallets.ts';

const server = useApp();
const { gateway } = paymentsOf(server);
const ROUNDS = repetitions({ short: 8, soak: 100 });

it('of reports, settlements, resolutions and a reversal of one parked payment at once, exactly one ends its waiting', async () => {
  const ends = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const partner = await server.newPartner();
    const [meant, other] = [await newWallet(server, partner), await newWallet(server, partner)];
    await changeWallet(server, meant.reference, { status: 'PNC' });
    const report = () => gateway(partner, { walletReference: meant.reference, reference: 'order', amount: 50 });
    const first = (await report()).json();
    const attempts: Record<string, () => Promise<{ statusCode: number }>> = {
      enabled: () => changeWallet(server, meant.reference, { status: 'Enabled' }),
      elsewhere: () => resolve(server, first.ID, { to: 'wallet', walletReference: other.reference }),
      float: () => resolve(server, first.ID, { to: 'float' }),
      returned: () => resolve(server, first.ID, { to: 'return', reference: newReference() }),
      reversed: () => reverse(server, 'order', { partnerId: partner.id, reference: newReference() }),
    };
    const names = Object.keys(attempts);
    const order = [...names.slice(round % names.length), ...names.slice(0, round % names.length)];
    const [answers, repeated] = await Promise.all([
      Promise.all(order.map(async (name) => ({ name, answer: await attempts[name]?.() }))),
      Promise.all([report(), report()]),
      maintain(server.resources),
    ]);
    for (const answer of repeated) expect(answer.json()).toEqual(first);
    for (const { answer } of answers) expect([200, 409, 422]).toContain(answer?.statusCode);
    const done = answers.filter(({ name, answer }) => name !== 'enabled' && answer?.statusCode === 200);
    const reached = {
      enabled: (await bookOf(server, 'WALLET', meant.reference)).kobo,
      elsewhere: (await bookOf(server, 'WALLET', other.reference)).kobo,
      float: (await bookOf(server, 'FLOAT', partner.id)).kobo,
    };
    // A reversal undoes what was credited before it, so that nothing may be left anywhere.
    const isUndone = done.some(({ name }) => name === 'reversed' || name === 'returned');
    expect(Object.values(reached).reduce((sum, kobo) => sum + kobo, 0)).toBe(isUndone ? 0 : 5_000);
    expect(done.filter(({ name }) => name !== 'reversed').length).toBeLessThanOrEqual(1);
    const { rows } = await server.owner.query<{ credited: boolean }>(
      'select completed_at is not null as credited from ledger.transaction where id = $1',
      [first.ID],
    );
    expect(await statusEvents(server, partner)).toHaveLength(rows[0]?.credited ? 1 : 0);
    const told = [...(await eventsOf(server, meant.reference)), ...(await eventsOf(server, other.reference))];
    expect(told.filter(({ event }) => event === 'wallet.credited').length).toBeLessThanOrEqual(1);
    ends.add(done.map(({ name }) => name).join('+') || 'enabled');
  }
  expect(ends.size).toBeGreaterThan(1);
  expect(await brokenInvariants(server)).toEqual([]);
});

it('of a reversal and refunds of one transaction at once, the reversal or the refunds win, and never both', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { partner, wallet } = await fundedWallet(server, 100);
    const undo = () => reverse(server, 'opening', { partnerId: partner.id, reference: newReference() });
    const back = () => refund(server, partner, 'opening', { reference: newReference(), amount: 60 });
    const race = [back, undo, undo, back];
    const answers = await Promise.all((round % 2 === 0 ? race : race.toReversed()).map((one) => one()));
    const [won, ...others] = answers.filter(({ statusCode }) => statusCode === 200);
    expect(others).toEqual([]);
    const left = won?.json().Type === 'REVERSAL' ? 0 : 4_000;
    expect(await bookOf(server, 'WALLET', wallet)).toEqual({ kobo: left, entries: 2 });
    for (const { statusCode } of answers.filter((answer) => answer !== won)) expect(statusCode).toBe(422);
  }
  expect(await brokenInvariants(server)).toEqual([]);
});
