import { lazy } from '#lib/lazy.ts';
import type { Account } from './accounts.ts';
import { asMinor, type Minor } from './money.ts';

/** Swedish dates are ISO 8601 dates. */
const day = lazy(() => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Africa/Lagos' }));

/** The day that daily limits count by, YYYY-MM-DD, as `ledger.business_day` computes it in SQL. */
export const businessDay = (at: Date): string => day().format(at);

/** What an account has spent on the day of a moment, in minor units, including fees and holds. */
export const spentOn = ({ spentDay, spent }: Pick<Account, 'spentDay' | 'spent'>, at: Date): Minor =>
  asMinor(spentDay === businessDay(at) ? spent : 0n);
