import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'audit.entry',
    kept: 'for ever',
    why: 'evidence, and sealed',
  },
];
