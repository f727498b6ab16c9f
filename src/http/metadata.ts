import { z } from 'zod';

const CHARACTERS_MAX = 4096;

/** Free-form members that a client keeps with a record: an object, bounded as it would be written in JSON. */
export const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= CHARACTERS_MAX, {
    error: `must have at most ${CHARACTERS_MAX} characters as JSON`,
  });
