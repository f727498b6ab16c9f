import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'claims.claim',
    kept: 'for ever; its consent token until it is answered',
    why: 'the proof that somebody agreed',
  },
];
