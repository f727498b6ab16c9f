import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Currency } from './money.ts';
import type { TransactionType } from './posting.ts';

/** What moved in an hour by transactions of a type, minor units. */
export interface HourSums {
  /** When it began. */
  hour: Date;
  type: TransactionType;
  currency: Currency;
  debits: bigint;
  transactions: number;
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

/** What moved between two moments, each the beginning of an hour, hour by hour. */
export async function selectHoursBetween(db: Executor, from: Date, to: Date): Promise<HourSums[]> {
  const rows = await selectHours(db, [from.toISOString(), to.toISOString()]);
  return rows.map(({ hour, type, currency, debits, transactions }) => ({
    hour: new Date(hour),
    type,
    currency,
    debits: BigInt(debits),
    transactions: Number(transactions),
  }));
}

/** A float that would not last a day, minor units of naira. */
export interface LowFloat {
  partnerId: string;
  balance: bigint;
  /** What left it on a day, on average of those that are looked at. */
  aDay: bigint;
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

/** The floats that hold less than left them on an average day of some that are over, the lowest by that first. */
export async function selectLowFloats(
  db: Executor,
  { from, to, days, limit }: { from: string; to: string; days: number; limit: number },
): Promise<LowFloat[]> {
  const rows = await selectLow(db, [from, to, days, limit]);
  return rows.map(({ partnerId, balance, aDay }) => ({ partnerId, balance: BigInt(balance), aDay: BigInt(aDay) }));
}
