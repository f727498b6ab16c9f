import { DomainError } from '#lib/domain-error.ts';
import { businessDay, startOfDay } from './business-day.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** When a day in Africa/Lagos ends. */
export const endOfDay = (day: string): Date => new Date(startOfDay(day).getTime() + DAY_MS);

/**
 * @param hasMoved whether anything moved on the day: where the clock was set back, it had begun before
 * @throws DomainError INVALID_PARAMETER for a day that has not begun
 */
export function assertBegun(day: string, { now, hasMoved }: { now: Date; hasMoved: boolean }): void {
  if (!hasMoved && day > businessDay(now))
    throw new DomainError('INVALID_PARAMETER', 'date: must not be in the future');
}
