import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bringForward } from '#modules/disputes';
import { maintain } from '../../../src/worker/maintenance.ts';
import { useApp } from '../../support/app.ts';
import { brokenInvariants } from '../../support/books.ts';
import { decideDispute, openDispute, walletNow } from '../../support/disputes.ts';
import { bookOf, reverse } from '../../support/payments.ts';
import { repetitions } from '../../support/repetitions.ts';
import { kycWallet, moveMoney, refund } from '../../support/wallets.ts';

const RUNS = repetitions({ short: 6, soak: 200 });
const FLOAT = 1000;
const WEEK_S = 7 * 86_400;

const server = useApp();

const credit = fc.nat(3);
const amount = fc.integer({ min: 1, max: 120 });
const step = fc.oneof(
  fc.record({ do: fc.constant('credit' as const), amount }),
  fc.record({ do: fc.constant('debit' as const), amount }),
  fc.record({ do: fc.constant('open' as const), credit, amount: fc.option(amount, { nil: undefined }) }),
  fc.record({ do: fc.constant('decide' as const), credit, outcome: fc.constantFrom('WON', 'LOST') }),
  fc.record({ do: fc.constant('refund' as const), credit, amount }),
  fc.record({ do: fc.constant('reverse' as const), credit }),
  fc.record({ do: fc.constant('expire' as const) }),
);

interface Kept {
  id: string;
  credit: number;
  kobo: number;
}

it('whatever happens, what is kept is what is disputed and not decided, no money comes or goes, and no credit goes back twice', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
    const partner = await server.newPartner({ float: FLOAT });
    const wallet = await kycWallet(server, partner);
    let credits = 0;
    let kept: Kept[] = [];
    for (const [at, taken] of steps.entries()) {
      const of = 'credit' in taken ? `credit-${taken.credit}` : '';
      const named = { partnerId: partner.id, reference: `step-${at}` };
      if (taken.do === 'credit') {
        const reference = `credit-${credits}`;
        credits += 1;
        await moveMoney(server, partner, wallet, 'credit', { amount: taken.amount, reference });
      } else if (taken.do === 'debit') {
        await moveMoney(server, partner, wallet, 'debit', { amount: taken.amount, reference: `debit-${at}` });
      } else if (taken.do === 'refund') {
        await refund(server, partner, of, { reference: `refund-${at}`, amount: taken.amount });
      } else if (taken.do === 'reverse') {
        await reverse(server, of, named);
      } else if (taken.do === 'expire') {
        await server.resources.transact((tx) => bringForward(tx, { partnerId: partner.id, seconds: WEEK_S }));
        await maintain(server.resources);
      } else if (taken.do === 'open') {
        const opened = await openDispute(server, partner.id, { transactionReference: of, amount: taken.amount });
        const { id, amount: naira } = opened.json();
        if (opened.statusCode === 201) kept.push({ id, credit: taken.credit, kobo: naira * 100 });
      } else {
        const found = kept.find((one) => one.credit === taken.credit);
        const decided = found && (await decideDispute(server, found.id, taken.outcome));
        if (decided && ![200, 422].includes(decided.statusCode)) throw new Error(decided.body);
        if (decided?.statusCode === 200) kept = kept.filter((one) => one !== found);
      }

      const [float, held] = [await bookOf(server, 'FLOAT', partner.id), await bookOf(server, 'WALLET', wallet)];
      expect(float.kobo + held.kobo).toBe(FLOAT * 100);
      expect(held.kobo).toBeGreaterThanOrEqual(0);
      const { blockedAmount, liens } = await walletNow(server, wallet);
      const sum = kept.reduce((all, { kobo }) => all + kobo, 0);
      expect(liens.reduce((all: number, lien: { amount: number }) => all + lien.amount * 100, 0)).toBe(sum);
      expect(blockedAmount * 100).toBe(Math.min(sum, held.kobo));
    }
    const { rows } = await server.owner.query(
      `select t.id from ledger.transaction t join ledger.transaction r on r.original_id = t.id and r.status <> 'Failed'
        where t.owner_id = $1 group by t.id having sum(r.amount) > t.amount`,
      [partner.id],
    );
    expect(rows).toEqual([]);
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  expect(await brokenInvariants(server)).toEqual([]);
});
