import { z } from 'zod';
import type { PartnerDay } from '#modules/ledger';

const EARLIEST = Date.UTC(1970, 0);

const LATEST = Date.UTC(9999, 0);

/** A moment in an answer: a date-time in UTC, with milliseconds. */
export const momentOut = z.iso.datetime();

const dateTime = (error: string) => z.iso.datetime({ offset: true, error }).transform((text) => new Date(text));

/** A moment in a request: a date-time with its zone, from 1970 up to the years that the database and JavaScript write alike. */
export const momentIn = dateTime('must be a date-time with a zone, as 2026-01-31T08:00:00Z').refine(
  (at) => at.getTime() >= EARLIEST && at.getTime() < LATEST,
  { error: 'must lie between 1970 and 9999' },
);

/** A moment to come, in a request. How far ahead it may lie is for the operation to say. */
export const deadlineIn = dateTime('must be a date-time with its offset, as 2026-01-31T12:00:00Z');

/** A day in Africa/Lagos, in a path: YYYY-MM-DD. */
export const dayParam = z.iso
  .date('must be a day as YYYY-MM-DD')
  .refine((day) => day >= '2000-01-01', { error: 'must not be before 2000-01-01' })
  .meta({ description: 'A day in Africa/Lagos', example: '2026-01-31' });

/** What a line of a partner's day is about. */
export const partnerDayAccount = z
  .enum(['FLOAT', 'WALLET', 'FEE', 'COMMISSION', 'STAMP_DUTY'] satisfies PartnerDay['lines'][number]['account'][])
  .meta({ description: 'WALLET: all wallets together. FEE, COMMISSION, STAMP_DUTY: what was charged' });
