import { deletes, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'idempotency.request',
    kept: '24 hours',
    why: 'a repeat is answered as the first was',
    forget: { rows: deletes({ table: 'idempotency.request', by: 'expires_at', afterMs: 0 }) },
  },
];
