import { DomainError } from '#lib/domain-error.ts';

const HOUR_MS = 60 * 60 * 1000;
const DEFAULT_MS = 72 * HOUR_MS;
const LONGEST_MS = 30 * 24 * HOUR_MS;

/** Until when a new transaction waits. @throws DomainError INVALID_PARAMETER when that is over, or more than 30 days ahead */
export function readExpiry(asked: Date | undefined, now: Date): Date {
  if (asked === undefined) return new Date(now.getTime() + DEFAULT_MS);
  const aheadMs = asked.getTime() - now.getTime();
  if (aheadMs <= 0 || aheadMs > LONGEST_MS) {
    throw new DomainError('INVALID_PARAMETER', 'expiresAt: must be in the future, at most 30 days ahead');
  }
  return asked;
}
