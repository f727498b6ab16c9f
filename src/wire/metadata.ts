import { z } from 'zod';

const CHARACTERS_MAX = 4096;
/** So that whoever walks through it later, comparing or copying, has stack enough. */
const LEVELS_MAX = 32;

/** Whether no value in it lies deeper than so many levels. */
const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1)));

/** Free-form members that a client keeps with a record: an object, bounded as it would be written in JSON. */
export const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => isWithin(value, LEVELS_MAX), {
    error: `must be nested at most ${LEVELS_MAX} levels deep`,
    abort: true,
  })
  .refine((value) => JSON.stringify(value).length <= CHARACTERS_MAX, {
    error: `must have at most ${CHARACTERS_MAX} characters as JSON`,
  });

/** The same members in an answer or an event, as they were stored. */
export const metadataOut = z.record(z.string(), z.unknown());
