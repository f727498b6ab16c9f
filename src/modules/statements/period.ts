import { DomainError } from '#lib/domain-error.ts';
import { businessDay, startOfDay } from '#modules/ledger';

/** The time that a statement covers: from one moment until just before another. */
export interface Period {
  from: Date;
  to: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_ASSUMED = 30;
const DAYS_MAX = 366;
/** PayTag did not exist before. */
const EARLIEST = '2000-01-01';

const after = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS);
const isDay = (text: string): boolean => text.length === 10;

/**
 * The period between `from` and `to`, each a day in Lagos (YYYY-MM-DD; the last day is included) or a moment (RFC 3339).
 * Without `to` it ends now; without `from` it begins with the day thirty days before its end. Where the clock was set back, now is
 * right after the last entry.
 *
 * @param wallet.movedAt when it was moved last; null: never
 * @throws DomainError INVALID_PARAMETER when it is reversed, in the future, or longer than 366 days
 */
export function readPeriod(
  given: { from?: string | undefined; to?: string | undefined },
  wallet: { now: Date; movedAt: Date | null },
): Period {
  const now = new Date(Math.max(wallet.now.getTime(), (wallet.movedAt?.getTime() ?? 0) + 1));
  const to = given.to === undefined ? now : endOf(given.to, now);
  const from = given.from === undefined ? startOfDay(businessDay(after(to, -DAYS_ASSUMED))) : beginOf(given.from);
  if (from < startOfDay(EARLIEST)) throw refusal(`from: must not be before ${EARLIEST}`);
  if (from > now) throw refusal('from: must not be in the future');
  if (from >= to) throw refusal('to: must be after from');
  if (to > after(from, DAYS_MAX)) throw refusal(`from, to: must be at most ${DAYS_MAX} days apart`);
  return { from, to };
}

const beginOf = (text: string): Date => (isDay(text) ? startOfDay(text) : new Date(text));

/** The end of a period: a day ends at midnight, and today ends now. @throws DomainError for an end in the future */
function endOf(text: string, now: Date): Date {
  if (isDay(text) && startOfDay(text) <= now)
    return new Date(Math.min(after(startOfDay(text), 1).getTime(), now.getTime()));
  const end = new Date(text);
  if (isDay(text) || end > now) throw refusal('to: must not be in the future');
  return end;
}

const refusal = (message: string): DomainError => new DomainError('INVALID_PARAMETER', message);
