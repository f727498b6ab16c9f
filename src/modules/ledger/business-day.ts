import { lazy } from '#lib/lazy.ts';
import type { Account } from './accounts.ts';
import { asMinor, type Minor } from './money.ts';

/** Swedish dates are ISO 8601 dates. */
const day = lazy(() => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Africa/Lagos' }));

/** The day by which daily limits count, YYYY-MM-DD: what `ledger.business_day` says in SQL. */
export const businessDay = (at: Date): string => day().format(at);

/** What an account has spent on the day of a moment, in minor units, with fees and holds. */
export const spentOn = ({ spentDay, spent }: Pick<Account, 'spentDay' | 'spent'>, at: Date): Minor =>
  asMinor(spentDay === businessDay(at) ? spent : 0n);
