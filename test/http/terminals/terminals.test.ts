import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expireSplits } from '#modules/terminals';
import { type Answer, useApp, useSharedApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { repetitions } from '../../support/cases.ts';
import { newSplit, newTerminal, payAt, seeSplit } from '../../support/terminals.ts';
import { bookOf, refund, statusEvents, transactionsOf } from '../../support/wallets.ts';

describe('instalments', () => {
  const server = useApp();
  const HOUR_MS = 60 * 60 * 1000;

  async function tillWith(amount: number, given: object = {}) {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner);
    return { partner, terminal, split: await newSplit(server, terminal, amount, given) };
  }
  type Till = Awaited<ReturnType<typeof tillWith>>;

  const see = ({ partner, terminal, split }: Till) => seeSplit(server, partner, terminal, split);
  const pay = ({ terminal, split }: Till, amount: number, reference: string) =>
    payAt(server, terminal, { amount, split, reference });
  const cancel = ({ partner, terminal, split }: Till) =>
    server.call('POST', `/v2/partner/terminal/split/${split}/cancel`, {
      headers: { ...partner.headers, 'x-terminal': terminal },
    });
  const codes = (answers: readonly Answer[]) =>
    answers.map((answer) => {
      const { Status, PendingReason, errorCode } = answer.json<Record<string, string | undefined>>();
      return Status === 'Successful' ? 'paid' : (PendingReason ?? errorCode);
    });

  /** What the payments that a split took add up to, kobo, by the ledger. */
  const postedFor = async ({ split }: Till) => {
    const { rows } = await server.owner.query(
      `select coalesce(sum(t.amount), 0)::int as kobo, count(*)::int as n from payments.payment p
       join terminals.split s on s.id = p.split_id and s.reference = $1
       join ledger.transaction t on t.id = p.transaction_id
       where t.status = 'Successful'`,
      [split],
    );
    return rows[0] as { kobo: number; n: number };
  };
  const floatOf = ({ partner }: Till) => bookOf(server, 'FLOAT', partner.id);

  describe('a split', () => {
    it('is paid and remaining of its amount at every moment, for any payments, also those it does not take', async () => {
      const instalments = fc.array(fc.integer({ min: 1, max: 6_000 }), { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 12_000 }), instalments, async (kobo, parts) => {
          const till = await tillWith(kobo / 100);
          let paid = 0;
          for (const [index, part] of parts.entries()) {
            const answer = await pay(till, part / 100, `part-${index}`);
            const reason = paid === kobo ? 'SPLIT_NOT_PAYABLE' : 'SPLIT_OVERPAYMENT';
            const fits = paid + part <= kobo;
            expect(codes([answer])).toEqual([fits ? 'paid' : reason]);
            if (fits) paid += part;
            expect(await see(till)).toMatchObject({
              Amount: kobo / 100,
              TotalPaid: paid / 100,
              Remaining: (kobo - paid) / 100,
              Status: paid === kobo ? 'Paid' : 'Pending',
            });
          }
          expect(await postedFor(till)).toMatchObject({ kobo: paid });
          expect(await floatOf(till)).toMatchObject({ kobo: paid });
        }),
        { numRuns: repetitions({ short: 6, soak: 150 }) },
      );
      expect(await brokenInvariants(server)).toEqual([]);
    });

    it.each([
      `update terminals.split set total_paid = amount + 1`,
      `update terminals.split set total_paid = -1`,
      `update terminals.split set status = 'Paid'`,
      `update terminals.split set total_paid = amount`,
      `update terminals.split set total_paid = 1, status = 'Cancelled'`,
      `update terminals.split set total_paid = 1, status = 'Expired'`,
    ])('refuses to be falsified: %s', async (statement) => {
      const till = await tillWith(10);
      const falsified = server.owner.query(`${statement} where reference = $1`, [till.split]);
      await expect(falsified).rejects.toMatchObject({ code: '23514' });
    });

    it('takes no more than remains: the rest of what arrived waits, and stays waiting', async () => {
      const till = await tillWith(10);
      await pay(till, 6, 'first');
      const over = await pay(till, 4.01, 'over');
      expect([over.statusCode, over.json().PendingReason]).toEqual([200, 'SPLIT_OVERPAYMENT']);
      expect(await transactionsOf(server, till.partner)).toEqual({ first: 'Successful', over: 'SPLIT_OVERPAYMENT' });
      expect(await postedFor(till)).toEqual({ kobo: 600, n: 1 });
      expect(await floatOf(till)).toEqual({ kobo: 600, entries: 1 });
      expect(await statusEvents(server, till.partner)).toHaveLength(1);
      expect(codes([await pay(till, 4.01, 'over')])).toEqual(['SPLIT_OVERPAYMENT']);
    });

    it('that is cancelled takes nothing', async () => {
      const till = await tillWith(10);
      await cancel(till);
      const late = await pay(till, 1, 'late');
      expect([late.statusCode, late.json().PendingReason]).toEqual([200, 'SPLIT_NOT_PAYABLE']);
      expect(await transactionsOf(server, till.partner)).toEqual({ late: 'SPLIT_NOT_PAYABLE' });
      expect(await floatOf(till)).toEqual({ kobo: 0, entries: 0 });
    });
  });

  describe('at the same time', () => {
    it('twenty last instalments by different references: one is taken, and the others wait', async () => {
      const till = await tillWith(10);
      await pay(till, 7.5, 'before');
      const references = Array.from({ length: 20 }, (_, index) => `last-${index}`);
      const answers = codes(await Promise.all(references.map((reference) => pay(till, 2.5, reference))));
      expect(answers.filter((code) => code === 'paid')).toHaveLength(1);
      expect(answers.filter((code) => code === 'SPLIT_NOT_PAYABLE')).toHaveLength(19);
      expect(await see(till)).toMatchObject({ TotalPaid: 10, Remaining: 0, Status: 'Paid' });
      const outcomes = Object.values(await transactionsOf(server, till.partner));
      expect(outcomes.toSorted()).toEqual([...Array(19).fill('SPLIT_NOT_PAYABLE'), 'Successful', 'Successful']);
      expect(await postedFor(till)).toEqual({ kobo: 1_000, n: 2 });
      expect(await floatOf(till)).toEqual({ kobo: 1_000, entries: 2 });
      expect(await statusEvents(server, till.partner)).toHaveLength(2);
    });

    it('instalments that together are too much: what is taken fits, and what does not waits', async () => {
      const till = await tillWith(10);
      // Ten of them are of 1: in whatever order they come, one is left for the last naira.
      const amounts = Array.from({ length: 30 }, (_, index) => 1 + (index % 3));
      const answers = await Promise.all(amounts.map((amount, index) => pay(till, amount, `part-${index}`)));
      const taken = amounts.filter((_, index) => codes(answers)[index] === 'paid').reduce((sum, one) => sum + one, 0);
      expect(taken).toBe(10);
      expect(await see(till)).toMatchObject({ TotalPaid: 10, Status: 'Paid' });
      expect(await floatOf(till)).toMatchObject({ kobo: 1_000 });
    });

    it('the same instalment twenty times is one', async () => {
      const till = await tillWith(10);
      const answers = await Promise.all(Array.from({ length: 20 }, () => pay(till, 4, 'same')));
      expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
      expect(await see(till)).toMatchObject({ TotalPaid: 4, Remaining: 6 });
    });

    it('paying against cancelling: one of them wins, ten times of ten', async () => {
      for (let round = 0; round < 10; round++) {
        const till = await tillWith(10);
        const race = [() => pay(till, 4, 'first'), () => cancel(till), () => pay(till, 4, 'second')];
        const order = round % 2 === 0 ? race : race.toReversed();
        await Promise.all(order.map((one) => one()));
        const { Status, TotalPaid } = await see(till);
        const { kobo } = await postedFor(till);
        expect([Status, TotalPaid]).toEqual(Status === 'Cancelled' ? ['Cancelled', 0] : ['Pending', 8]);
        expect(kobo).toBe(TotalPaid * 100);
      }
    });
  });

  describe('an overdue split', () => {
    const inAnHour = () => ({ expiresAt: new Date(server.clock.now().getTime() + HOUR_MS).toISOString() });
    const stored = async ({ split }: Till) =>
      (await server.owner.query('select status from terminals.split where reference = $1', [split])).rows[0];

    it('is Expired from that moment on, before any sweep', async () => {
      const till = await tillWith(10, inAnHour());
      expect(await see(till)).toMatchObject({ Status: 'Pending' });
      server.clock.advance(HOUR_MS);
      expect(await see(till)).toMatchObject({ Status: 'Expired' });
      expect(codes([await pay(till, 1, 'late')])).toEqual(['SPLIT_NOT_PAYABLE']);
      expect(await stored(till)).toEqual({ status: 'Pending' });
    });

    it('is marked by the sweep, once; those that have time, have none, or are paid in part are left', async () => {
      const [over, part] = [await tillWith(10, inAnHour()), await tillWith(10, inAnHour())];
      await pay(part, 1, 'part');
      server.clock.advance(HOUR_MS);
      const [lasting, later] = [await tillWith(10), await tillWith(10, inAnHour())];
      expect(await expireSplits(server.resources.db, server.clock.now())).toBeGreaterThan(0);
      expect(await expireSplits(server.resources.db, server.clock.now())).toBe(0);
      expect(await stored(over)).toEqual({ status: 'Expired' });
      for (const till of [part, lasting, later]) expect(await stored(till)).toEqual({ status: 'Pending' });
      expect(codes([await pay(part, 9, 'rest')])).toEqual(['paid']);
      expect(await see(part)).toMatchObject({ Status: 'Paid' });
    });
  });
});

describe('a refund', () => {
  const server = useSharedApp();

  it('the refund of an instalment leaves its split as it was paid: a new debt is another split', async () => {
    const partner = await server.newPartner();
    const terminal = await newTerminal(server, partner);
    const split = await newSplit(server, terminal, 300);
    await payAt(server, terminal, { split, amount: 100, reference: 'first' });
    expect((await refund(server, partner, 'first', { reference: 'first-back' })).json().Amount).toBe(100);
    const standing = { Amount: 300, TotalPaid: 100, Remaining: 200, Status: 'Pending' };
    expect(await seeSplit(server, partner, terminal, split)).toMatchObject(standing);
    await payAt(server, terminal, { split, amount: 200, reference: 'second' });
    expect((await refund(server, partner, 'second', { reference: 'second-back' })).json().Amount).toBe(200);
    const paid = { Amount: 300, TotalPaid: 300, Remaining: 0, Status: 'Paid' };
    expect(await seeSplit(server, partner, terminal, split)).toMatchObject(paid);
    expect((await payAt(server, terminal, { split, amount: 1 })).json().PendingReason).toBe('SPLIT_NOT_PAYABLE');
  });
});
