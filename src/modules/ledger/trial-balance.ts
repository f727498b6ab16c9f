import type { Clock } from '#lib/clock.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { type AccountKind, hasEnded, selectKindsOfDay } from './books-store.ts';
import { assertBegun, endOfDay } from './day.ts';
import { asMinor, type Currency, currencies, type Minor } from './money.ts';
import { accountKinds } from './system-accounts.ts';

/** Minor units. What we owe is above zero, what we are owed below it. */
interface Sums {
  opening: Minor;
  /** Unsigned. */
  debits: Minor;
  credits: Minor;
  closing: Minor;
}

/** What a day did to all accounts of a kind together. */
export interface TrialBalanceLine extends Sums {
  account: AccountKind;
  currency: Currency;
}

export interface TrialBalance {
  date: string;
  /** False of a day that is not over, or of which something may still be committed. */
  closed: boolean;
  lines: TrialBalanceLine[];
  /** Of all lines of a currency: opening and closing are zero, and debits are credits. */
  totals: (Sums & { currency: Currency })[];
}

/**
 * The trial balance of a day in Africa/Lagos, as of one moment: every kind of account in every currency.
 *
 * @param date YYYY-MM-DD
 * @throws DomainError INVALID_PARAMETER for a day that has not begun
 */
export async function trialBalance(
  db: Executor,
  { clock, date }: { clock: Clock; date: string },
): Promise<TrialBalance> {
  const endsAt = endOfDay(date);
  // In this order: what is read after the day has ended holds all of it.
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
