import { describe, expect, it } from 'vitest';
import type { Tx } from '#lib/postgres/executor.ts';
import { reportGatewayPayment } from '#modules/collections';
import { asMinor, settlePendingTo } from '#modules/ledger';
import { parseCharge } from '../../../src/config/formats.ts';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants, eventsOf } from '../../support/books.ts';
import { repetitions } from '../../support/cases.ts';
import { eventually } from '../../support/eventually.ts';
import { refusalOf } from '../../support/refusals.ts';
import { newSplit, newTerminal, seeSplit } from '../../support/terminals.ts';
import {
  bookOf,
  changeWallet,
  fundedWallet,
  moveMoney,
  newReference,
  newWallet,
  paymentsOf,
  refund,
  resolve,
  reverse,
  statusEvents,
} from '../../support/wallets.ts';

describe('the references of payments', () => {
  const server = useApp();
  const { gateway, atTerminal, inbound } = paymentsOf(server);
  const seen = async ({ headers }: { headers: Record<string, string> }, reference: string) =>
    (await server.call('GET', `/v2/partner/transaction/${reference}`, { headers })).json();

  describe('a report under a reference that the partner has used itself', () => {
    it('is booked under one of ours, and the rail’s is its ExternalReference', async () => {
      const partner = await server.newPartner({ float: 10 });
      const wallet = await newWallet(server, partner);
      await moveMoney(server, partner, wallet.reference, 'credit', { amount: 10, reference: 'order-1' });
      const paid = await gateway(partner, { walletReference: wallet.reference, reference: 'order-1' });
      const { Reference } = paid.json();
      expect([paid.statusCode, paid.json()]).toEqual([
        200,
        expect.objectContaining({ Status: 'Successful', ExternalReference: 'order-1', ClosingBalance: 1010 }),
      ]);
      expect(Reference).toMatch(/^RPT-[0-9a-f]{32}$/);
      const told = (await eventsOf(server, wallet.reference)) as { data: { Transaction: { Reference: string } } }[];
      expect(told.map(({ data }) => data.Transaction.Reference)).toEqual(['order-1', Reference]);
      expect(JSON.parse((await statusEvents(server, partner))[0] ?? '')).toMatchObject({ reference: Reference });
      expect(await seen(partner, 'order-1')).toMatchObject({ Type: 'PARTNER_WALLET_CREDIT' });
      expect(await seen(partner, Reference)).toEqual(paid.json());
      const again = await gateway(partner, { walletReference: wallet.reference, reference: 'order-1' });
      expect(again.json()).toEqual(paid.json());
      expect(refusalOf(await gateway(partner, { reference: 'order-1' }))).toEqual([409, 'REFERENCE_REUSED']);
      expect(await brokenInvariants(server)).toEqual([]);
    });

    it('finds its first booking again also when the partner used the reference only later', async () => {
      const partner = await server.newPartner({ float: 10 });
      const wallet = await newWallet(server, partner);
      const first = await gateway(partner, { reference: 'order-2' });
      await moveMoney(server, partner, wallet.reference, 'credit', { amount: 10, reference: 'order-2' });
      expect((await gateway(partner, { reference: 'order-2' })).json()).toEqual(first.json());
      expect(first.json()).toMatchObject({ Reference: 'order-2' });
    });

    it('at the same moment: one booking, whichever form it gets', async () => {
      for (let round = 0; round < 5; round++) {
        const partner = await server.newPartner({ float: 10 });
        const wallet = await newWallet(server, partner);
        const pay = () => gateway(partner, { walletReference: wallet.reference, reference: 'order-3', amount: 7 });
        const credit = { amount: 10, reference: 'order-3' };
        const answers = await Promise.all([
          ...Array.from({ length: 6 }, pay),
          moveMoney(server, partner, wallet.reference, 'credit', credit),
          ...Array.from({ length: 6 }, pay),
        ]);
        expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
        expect(await bookOf(server, 'WALLET', wallet.reference)).toEqual({ kobo: 1_700, entries: 2 });
      }
    });
  });

  describe('the references of rails', () => {
    it('two different reports under one reference of a partner: the second is refused; of two partners: both are booked', async () => {
      const [one, two] = [await server.newPartner(), await server.newPartner()];
      const terminal = await newTerminal(server, one);
      expect((await gateway(one, { reference: 'r' })).statusCode).toBe(200);
      expect(refusalOf(await atTerminal(terminal, { reference: 'r' }))).toEqual([409, 'REFERENCE_REUSED']);
      expect((await gateway(two, { reference: 'r' })).statusCode).toBe(200);
    });

    it('what was refused as unknown leaves its reference free', async () => {
      const partner = await server.newPartner();
      const terminal = await newTerminal(server, partner);
      const refused = [
        await gateway(partner, { walletReference: 'PW-none', reference: 'typo' }),
        await atTerminal(terminal, { split: 'SPL-none', reference: 'typo' }),
        await inbound('0000000000', { reference: `typo-${partner.id}` }),
      ];
      expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
      const wallet = await newWallet(server, partner);
      expect((await atTerminal(terminal, { reference: 'typo' })).json()).toMatchObject({ Status: 'Successful' });
      const corrected = await inbound(wallet.nuban, { reference: `typo-${partner.id}` });
      expect(corrected.json()).toMatchObject({ Status: 'Successful' });
    });

    it('an instalment of ours still names its split', async () => {
      const partner = await server.newPartner({ float: 1 });
      const wallet = await newWallet(server, partner);
      const terminal = await newTerminal(server, partner);
      const split = await newSplit(server, terminal, 100);
      await moveMoney(server, partner, wallet.reference, 'credit', { amount: 1, reference: 'card-1' });
      const paid = await atTerminal(terminal, { split, amount: 40, reference: 'card-1' });
      expect(paid.json()).toMatchObject({ Status: 'Successful', ExternalReference: 'card-1' });
      expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 40 });
      expect(await brokenInvariants(server)).toEqual([]);
    });
  });
});

describe('a payment reported again', () => {
  const server = useApp({ FEE_PARTNER_GATEWAY: '1%', FEE_COMMISSION: '5' });

  it('a payment reported again answers as it did, also when charges have been configured otherwise meanwhile', async () => {
    const partner = await server.newPartner();
    const payment = {
      actor: 'operator:root',
      partnerId: partner.id,
      amount: asMinor(100_000n),
      reference: 'g1',
      sender: { name: 'Bola Ade' },
    };
    const first = await reportGatewayPayment(server.resources, payment);
    expect(first).toMatchObject({ fee: 1_000n, commission: 500n, net: 98_500n });
    const { fees } = server.resources;
    const dearer = { ...fees, gateway: parseCharge('50%') ?? fees.gateway };
    expect(await reportGatewayPayment({ ...server.resources, fees: dearer }, payment)).toEqual(first);
    expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 98_500, entries: 1 });
    expect(await statusEvents(server, partner)).toHaveLength(1);
  });

  it('charges that leave nothing move nothing into the float, and the payment’s event is published all the same', async () => {
    const partner = await server.newPartner();
    const answer = await server.operate('POST', '/transactions', {
      type: 'PARTNER_GATEWAY',
      partnerId: partner.id,
      amount: 3,
      reference: 'small',
      sender: { name: 'Bola Ade' },
    });
    expect(answer.json()).toMatchObject({ Status: 'Successful', Amount: 3, Fee: 0.03, Commission: 2.97, Net: 0 });
    expect(await bookOf(server, 'FLOAT', partner.id)).toEqual({ kobo: 0, entries: 0 });
    expect(await statusEvents(server, partner)).toHaveLength(1);
  });
});

describe('a payment settled by another session', () => {
  const server = useApp();
  const { gateway } = paymentsOf(server);

  it('what another session has returned since it was found waiting is not told as credited', async () => {
    const partner = await server.newPartner();
    const wallet = await newWallet(server, partner);
    await changeWallet(server, wallet.reference, { status: 'PNC' });
    const park = async (reference: string) =>
      (await gateway(partner, { walletReference: wallet.reference, reference, amount: 50 })).json();
    const [kept, returned] = [await park('kept'), await park('returned')];
    const other = await server.owner.connect();
    await other.query('begin');
    const { rows } = await other.query(
      `update ledger.account set status = 'Enabled' where reference = $1 returning id`,
      [wallet.reference],
    );
    const told: number[] = [];
    const afterSettling = async (_tx: Tx, ids: readonly number[]) => void told.push(...ids);
    // Both are found waiting, and the first of them is kept waiting for its account.
    const settling = server.resources.transact((tx) => settlePendingTo(tx, Number(rows[0].id), { afterSettling }));
    await eventually(async () => {
      const { rowCount } = await server.owner.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%settle_pending%'`,
      );
      expect(rowCount).toBe(1);
    });
    const back = await resolve(server, returned.ID, { to: 'return', reference: newReference() });
    expect(back.statusCode).toBe(200);
    await other.query('commit');
    other.release();
    await settling;
    expect(told).toEqual([kept.ID]);
  });
});

describe('an instalment that charges take whole', () => {
  const server = useApp({ FEE_PARTNER_TERMINAL: '100%' });
  const { atTerminal } = paymentsOf(server);

  it('an instalment that its split refuses and charges would take whole waits whole, without charges', async () => {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner);
    const split = await newSplit(server, terminal, 100);
    const answer = await atTerminal(terminal, { split, amount: 101 });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      expect.objectContaining({ Status: 'Pending', Fee: 0, Net: 101 }),
    ]);
    expect(await seeSplit(server, partner, terminal, split)).toMatchObject({ TotalPaid: 0, Status: 'Pending' });
    expect(await brokenInvariants(server)).toEqual([]);
  });
});

describe('at the same time', () => {
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
});
