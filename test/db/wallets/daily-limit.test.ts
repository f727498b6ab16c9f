import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { businessDay } from '#modules/ledger';
import { dailyLimitAt } from '../../../src/modules/wallets/daily-limit.ts';
import { useLedger } from '../../support/ledger.ts';
import { repetitions } from '../../support/repetitions.ts';
import { openSpender, SpendingModel, spendingSteps } from './spending.ts';

const dailyLimits = { 1: 5_000n, 2: 20_000n, 3: 500_000n };
const MINUTE_MS = 60_000;
/** Ten in the evening in Lagos, two hours before its midnight. */
const START = Date.UTC(2025, 10, 20, 21, 0);

const ledger = useLedger();
const accountOf = async (id: number) => {
  const { rows } = await ledger.pool.query('select * from ledger.account where id = $1', [id]);
  const { daily_limit: own, holder_id: holderId } = rows[0];
  return { dailyLimit: own === null ? null : BigInt(own), holderId };
};

describe('the limit of a day', () => {
  it('a day begins and ends in Lagos, and is the same day in SQL', async () => {
    expect(businessDay(new Date('2025-11-20T22:59:59.999Z'))).toBe('2025-11-20');
    expect(businessDay(new Date('2025-11-20T23:00:00.000Z'))).toBe('2025-11-21');
    const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(moment, async (at) => {
        const { rows } = await ledger.pool.query('select ledger.business_day($1)::text as day', [at.toISOString()]);
        expect(rows[0].day).toBe(businessDay(at));
      }),
    );
  });
});

/** What happens to a wallet, and the minutes that pass before it. */
const steps = fc.array(
  fc.record({
    minutes: fc.constantFrom(0, 5, 60, 120, 24 * 60),
    amount: fc.bigInt(1n, 9_000n),
    what: fc.constantFrom(...spendingSteps),
  }),
  { minLength: 1, maxLength: 25 },
);

it('transfers and holds out of all wallets of a holder count on their day in Lagos, what is released the same day does not, and nothing goes past the limit', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (todo) => {
      const wallet = await openSpender(ledger, dailyLimits[1]);
      const model = new SpendingModel(dailyLimits[1]);
      let now = START;
      for (const { minutes, amount, what } of todo) {
        now += minutes * MINUTE_MS;
        const at = new Date(now);
        expect(await wallet[what](amount, at)).toBe(model[what](amount, at));
        for (const account of wallet.wallets) {
          const today = await dailyLimitAt(ledger.db, await accountOf(account), { tier: 1, dailyLimits, at });
          expect(today).toEqual(model.today(at));
        }
      }
      await wallet.end();
    }),
    { numRuns: repetitions({ short: 15, soak: 400 }) },
  );
});
