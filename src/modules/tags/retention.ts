import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'tags.tag',
    kept: 'for ever',
    why: 'money and consent name it',
  },
];
