import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'installation.stamp',
    kept: 'for ever',
    why: 'one row: what this installation is',
  },
];
