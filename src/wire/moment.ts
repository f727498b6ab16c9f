import { z } from 'zod';

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
