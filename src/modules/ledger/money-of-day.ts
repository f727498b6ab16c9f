import type { Clock } from '#lib/clock.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { businessDay, startOfDay } from './business-day.ts';
import { type HourSums, selectHoursBetween } from './hour-store.ts';
import { asMinor, type Currency, type Minor } from './money.ts';
import type { TransactionType } from './posting.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Moved {
  currency: Currency;
  /** Every posting by what it takes out of accounts, the charges with it. Minor units. */
  amount: Minor;
  transactions: number;
}

/** What has moved since the day began in Africa/Lagos. What did not move is left out. */
export interface MoneyOfDay {
  /** YYYY-MM-DD */
  date: string;
  types: (Moved & { type: TransactionType })[];
  hours: (Moved & { startsAt: Date })[];
}

/** The money of the day that a moment is in, by type and by hour. */
export async function moneyOfDay(db: Executor, { clock }: { clock: Clock }): Promise<MoneyOfDay> {
  const date = businessDay(clock.now());
  const from = startOfDay(date);
  const sums = await selectHoursBetween(db, from, new Date(from.getTime() + DAY_MS));
  return {
    date,
    types: added(sums, ({ type }) => type).map(({ of, ...moved }) => ({ type: of.type, ...moved })),
    hours: added(sums, ({ hour }) => hour.toISOString()).map(({ of, ...moved }) => ({ startsAt: of.hour, ...moved })),
  };
}

function added(sums: readonly HourSums[], by: (one: HourSums) => string): (Moved & { of: HourSums })[] {
  const groups = Map.groupBy(sums, (one) => `${by(one)} ${one.currency}`);
  return [...groups.values()].flatMap((all) => {
    const [of] = all;
    if (of === undefined) return [];
    const amount = asMinor(all.reduce((sum, { debits }) => sum + debits, 0n));
    return [{ of, currency: of.currency, amount, transactions: all.reduce((sum, one) => sum + one.transactions, 0) }];
  });
}
