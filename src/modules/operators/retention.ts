import { DAY_MS, deletes, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'operators.operator',
    kept: 'for ever',
    why: 'the audit log names them',
  },
  {
    table: 'operators.session',
    kept: 'a day after it expired',
    why: 'a late request is told that it is late',
    forget: { rows: deletes({ table: 'operators.session', by: 'expires_at', afterMs: DAY_MS }) },
  },
];
