import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'terminals.split',
    kept: 'for ever',
    why: 'the books',
  },
  {
    table: 'terminals.terminal',
    kept: 'for ever',
    why: 'the books name it',
  },
];
