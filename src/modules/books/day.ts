import { DomainError } from '#lib/domain-error.ts';
import { businessDay, startOfDay } from '#modules/ledger';

const DAY_MS = 24 * 60 * 60 * 1000;

/** When a day in Africa/Lagos ends. @throws DomainError INVALID_PARAMETER for one that has not begun */
export function endOfDay(day: string, now: Date): Date {
  if (day > businessDay(now)) throw new DomainError('INVALID_PARAMETER', 'date: must not be in the future');
  return new Date(startOfDay(day).getTime() + DAY_MS);
}
