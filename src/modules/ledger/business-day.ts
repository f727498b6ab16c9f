import { and, eq, gte } from '#drizzle';
import { DomainError } from '#lib/domain-error.ts';
import { lazy } from '#lib/lazy.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Given, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { asMinor, type Minor } from './money.ts';
import { spending } from './tables.ts';

/** Swedish dates are ISO 8601 dates. */
const dayFormat = lazy(() => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Africa/Lagos' }));

/** The day that daily limits count by, YYYY-MM-DD, as `ledger.business_day` computes it in SQL. */
export const businessDay = (at: Date): string => dayFormat().format(at);

/** When a day in Lagos begins, YYYY-MM-DD. There is no summer time there. */
export const startOfDay = (ofDay: string): Date => new Date(`${ofDay}T00:00:00+01:00`);

const DAY_MS = 24 * 60 * 60 * 1000;

/** When a day in Africa/Lagos ends. */
export const endOfDay = (day: string): Date => new Date(startOfDay(day).getTime() + DAY_MS);

/**
 * @param hasMoved whether the day has movements: then it had begun before the clock was set back
 * @throws DomainError INVALID_PARAMETER for a day that has not begun
 */
export function assertBegun(day: string, { now, hasMoved }: { now: Date; hasMoved: boolean }): void {
  if (!hasMoved && day > businessDay(now))
    throw new DomainError('INVALID_PARAMETER', 'date: must not be in the future');
}

const selectEnded = preparedText<{ ended: boolean }>(
  'books.has-ended',
  'select ledger.has_ended($1::timestamptz) as ended',
);

/** True once no transaction dated before a moment can be committed: a later read sees them all. */
export async function hasEnded(db: Executor, at: Date): Promise<boolean> {
  const [row] = await selectEnded(db, [at.toISOString()]);
  return row?.ended === true;
}

const selectSpent = preparedOne('ledger.spent-on', (db, given: Given<{ holderId: string; day: string }>) =>
  db
    .select({ spent: spending.spent })
    .from(spending)
    .where(and(eq(spending.holderId, given.holderId), gte(spending.day, given.day))),
);

/**
 * What a holder has spent on the day of a moment out of all their accounts, in minor units, including fees and holds. The day
 * never goes back: after a clock was set back, spending of the later day still counts.
 */
export async function spentOn(db: Executor, holderId: string, at: Date): Promise<Minor> {
  const found = await selectSpent(db, { holderId, day: businessDay(at) });
  return asMinor(found?.spent ?? 0n);
}
