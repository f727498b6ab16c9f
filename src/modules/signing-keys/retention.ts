import type { Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'signing_keys.signing_key',
    kept: 'for ever; the private key until it signs no more',
    why: 'what it signed is verified by it',
  },
];
