import type { Room } from '#lib/room.ts';
import { deletes, type Retention } from '#lib/room.ts';
import { sealedColumns } from './run-once.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'idempotency.request',
    kept: '24 hours',
    why: 'a repeated request gets the first answer',
    forget: { rows: deletes({ table: 'idempotency.request', by: 'expires_at', afterMs: 0 }) },
  },
];

export const room: Room = { retention, sealedColumns };
