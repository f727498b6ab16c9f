import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'federations.federation',
    kept: 'for ever',
    why: 'its links name it',
  },
  {
    table: 'federations.link',
    kept: 'for ever',
    why: 'the proof that two tags belong to one person',
  },
];
