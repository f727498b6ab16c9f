import { and, eq, gte } from '#drizzle';
import { lazy } from '#lib/lazy.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Given, preparedOne } from '#lib/postgres/prepared.ts';
import { asMinor, type Minor } from './money.ts';
import { spending } from './tables.ts';

/** Swedish dates are ISO 8601 dates. */
const day = lazy(() => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Africa/Lagos' }));

/** The day that daily limits count by, YYYY-MM-DD, as `ledger.business_day` computes it in SQL. */
export const businessDay = (at: Date): string => day().format(at);

/** When a day in Lagos begins, YYYY-MM-DD. There is no summer time there. */
export const startOfDay = (ofDay: string): Date => new Date(`${ofDay}T00:00:00+01:00`);

const selectSpent = preparedOne('ledger.spent-on', (db, given: Given<{ holderId: string; day: string }>) =>
  db
    .select({ spent: spending.spent })
    .from(spending)
    .where(and(eq(spending.holderId, given.holderId), gte(spending.day, given.day))),
);

/**
 * What a holder has spent on the day of a moment out of all their accounts, in minor units, including fees and holds. Days that
 * count never go back: where a clock was set back, what was spent on the later day still counts.
 */
export async function spentOn(db: Executor, holderId: string, at: Date): Promise<Minor> {
  const found = await selectSpent(db, { holderId, day: businessDay(at) });
  return asMinor(found?.spent ?? 0n);
}
