import type { Clock } from '#lib/clock.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Account } from './accounts.ts';
import { assertBegun, endOfDay, hasEnded } from './business-day.ts';
import { asMinor, type Currency, currencies, type Minor } from './money.ts';
import { accountKinds } from './system-accounts.ts';

/** Minor units. A balance that we owe is positive, one owed to us negative. */
interface Sums {
  opening: Minor;
  /** Unsigned. */
  debits: Minor;
  credits: Minor;
  closing: Minor;
}

/** A day of all accounts of a kind together. */
export interface TrialBalanceLine extends Sums {
  account: Account['kind'];
  currency: Currency;
}

export interface TrialBalance {
  date: string;
  /** False while transactions of the day can still be committed. */
  closed: boolean;
  lines: TrialBalanceLine[];
  /** Of all lines of a currency: opening and closing are zero, and debits are credits. */
  totals: (Sums & { currency: Currency })[];
}

/**
 * The trial balance of a day in Africa/Lagos, in one snapshot: every kind of account in every currency.
 *
 * @param date YYYY-MM-DD
 * @throws DomainError INVALID_PARAMETER for a day that has not begun
 */
export async function trialBalance(
  db: Executor,
  { clock, date }: { clock: Clock; date: string },
): Promise<TrialBalance> {
  const endsAt = endOfDay(date);
  // In this order: a read after the day has ended sees the whole day.
  const [closed, moved] = await Promise.all([hasEnded(db, endsAt), selectKindsOfDay(db, date)]);
  assertBegun(date, { now: clock.now(), hasMoved: moved.some(({ debits, credits }) => debits + credits > 0n) });
  const lines = accountKinds.flatMap((kind) =>
    currencies.map((currency) => {
      const found = moved.find((one) => one.kind === kind && one.currency === currency);
      return { account: kind, currency, ...toSums(found ?? { opening: 0n, debits: 0n, credits: 0n }) };
    }),
  );
  const totals = currencies.map((currency) => {
    const of = lines.filter((line) => line.currency === currency);
    return {
      currency,
      ...toSums({ opening: sum(of, 'opening'), debits: sum(of, 'debits'), credits: sum(of, 'credits') }),
    };
  });
  return { date, closed, lines, totals };
}

const toSums = ({ opening, debits, credits }: Record<'opening' | 'debits' | 'credits', bigint>): Sums => ({
  opening: asMinor(opening),
  debits: asMinor(debits),
  credits: asMinor(credits),
  closing: asMinor(opening + credits - debits),
});

const sum = (lines: readonly Sums[], member: keyof Sums): bigint => lines.reduce((all, line) => all + line[member], 0n);

/** All movements: the totals, and the entries after them. One statement, so one snapshot. */
const EVERYTHING = `
  select d.day, d.kind, d.currency, d.debits, d.credits from books.day_total d where d.day <= $1
  union all
  select m.day, m.kind, m.currency, m.debits, m.credits
    from books.totalled x cross join lateral books.moved_between(x.until, 'infinity') m where m.day <= $1`;

const selectKinds = preparedText<{
  kind: Account['kind'];
  currency: Currency;
  opening: string;
  debits: string;
  credits: string;
}>(
  'books.kinds-of-day',
  `select kind, currency, coalesce(sum(credits - debits) filter (where day < $1), 0) as opening,
      coalesce(sum(debits) filter (where day = $1), 0) as debits, coalesce(sum(credits) filter (where day = $1), 0) as credits
    from (${EVERYTHING}) moved group by kind, currency`,
);

/** Opening balance and movements of a day for each kind of account that ever moved, in minor units. */
async function selectKindsOfDay(db: Executor, day: string) {
  const rows = await selectKinds(db, [day]);
  return rows.map(({ kind, currency, ...sums }) => ({
    kind,
    currency,
    opening: BigInt(sums.opening),
    debits: BigInt(sums.debits),
    credits: BigInt(sums.credits),
  }));
}
