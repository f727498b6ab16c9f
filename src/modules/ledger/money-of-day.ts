import type { Clock } from '#lib/clock.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { businessDay, startOfDay } from './business-day.ts';
import { asMinor, type Currency, type Minor } from './money.ts';
import type { TransactionType } from './posting.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Moved {
  currency: Currency;
  /** The debits of the postings, charges included. Minor units. */
  amount: Minor;
  transactions: number;
}

/** The money moved since the day began in Africa/Lagos, without empty hours and types. */
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
    types: groupedBy(sums, ({ type }) => type).map(({ of, ...moved }) => ({ type: of.type, ...moved })),
    hours: groupedBy(sums, ({ hour }) => hour.toISOString()).map(({ of, ...moved }) => ({
      startsAt: of.hour,
      ...moved,
    })),
  };
}

function groupedBy(sums: readonly HourSums[], by: (one: HourSums) => string): (Moved & { of: HourSums })[] {
  const groups = Map.groupBy(sums, (one) => `${by(one)} ${one.currency}`);
  return [...groups.values()].flatMap((all) => {
    const [of] = all;
    if (of === undefined) return [];
    const amount = asMinor(all.reduce((sum, { debits }) => sum + debits, 0n));
    return [{ of, currency: of.currency, amount, transactions: all.reduce((sum, one) => sum + one.transactions, 0) }];
  });
}

/** The movements of one hour by one type of transaction, in minor units. */
interface HourSums {
  /** When it began. */
  hour: Date;
  type: TransactionType;
  currency: Currency;
  debits: bigint;
  transactions: number;
}

/** The movements of each hour between two full hours. */
async function selectHoursBetween(db: Executor, from: Date, to: Date): Promise<HourSums[]> {
  const rows = await selectHours(db, [from.toISOString(), to.toISOString()]);
  return rows.map(({ hour, type, currency, debits, transactions }) => ({
    hour: new Date(hour),
    type,
    currency,
    debits: BigInt(debits),
    transactions: Number(transactions),
  }));
}

const selectHours = preparedText<{
  hour: string;
  type: TransactionType;
  currency: Currency;
  debits: string;
  transactions: string;
}>(
  'books.hours',
  `select to_json(hour) #>> '{}' as hour, type, currency, sum(debits) as debits, sum(transactions) as transactions from (
     select h.hour, h.type, h.currency, h.debits, h.transactions from books.hour_total h where h.hour >= $1 and h.hour < $2
     union all
     select m.hour, m.type, m.currency, m.debits, m.transactions
       from books.totalled x cross join lateral books.moved_by_hour(greatest(x.until, $1), $2) m) moved
   group by 1, 2, 3 order by 1, 2, 3`,
);

const DAYS = 7;

/** A float that would not last a day, minor units of naira. */
export interface LowFloat {
  partnerId: string;
  balance: bigint;
  /** The average outflow of a day. */
  aDay: bigint;
}

/**
 * Naira floats that may not last a day: they hold less than the average daily outflow of the last seven full days. The lowest
 * in proportion comes first.
 */
export async function lowFloats(db: Executor, { clock, limit }: { clock: Clock; limit: number }): Promise<LowFloat[]> {
  const now = clock.now();
  const to = businessDay(now);
  const from = businessDay(new Date(now.getTime() - DAYS * DAY_MS));
  const rows = await selectLow(db, [from, to, DAYS, limit]);
  return rows.map(({ partnerId, balance, aDay }) => ({ partnerId, balance: BigInt(balance), aDay: BigInt(aDay) }));
}

const selectLow = preparedText<{ partnerId: string; balance: string; aDay: string }>(
  'books.low-floats',
  `select f.partner_id as "partnerId", a.posted - a.suspended as balance, f.a_day as "aDay"
     from (select partner_id, ceil(sum(debits) / $3::numeric) as a_day from books.partner_day_total
            where kind = 'FLOAT' and currency = 'NGN' and day >= $1 and day < $2 group by partner_id) f
     join lateral (select posted, suspended from ledger.account
            where kind = 'FLOAT' and reference = f.partner_id::text and currency = 'NGN' limit 1) a
       on a.posted - a.suspended < f.a_day
    order by (a.posted - a.suspended) / f.a_day, f.partner_id limit $4`,
);
