import { DAY_MS, deletes, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'notices.notice',
    kept: '90 days after what it tells of; the address until it is sent or given up',
    why: 'that a customer was told can be shown',
    forget: { rows: deletes({ table: 'notices.notice', by: 'happened_at', afterMs: 90 * DAY_MS }) },
  },
];
