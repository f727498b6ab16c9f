import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'seals.seal',
    kept: 'for ever',
    why: 'evidence: each vouches for all before it',
  },
];
