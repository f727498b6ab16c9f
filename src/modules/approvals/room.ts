import { countOfWaiting } from '#lib/postgres/lists.ts';
import type { Room } from '#lib/room.ts';
import { DAY_MS, empties, type Retention } from '#lib/room.ts';
import { sealedColumns } from './approval.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'approvals.approval',
    kept: 'for ever; what was asked and answered, 30 days after its end',
    why: 'that two operators did something together is evidence',
    forget: {
      asked: empties(
        { table: 'approvals.approval', by: 'ended_at', afterMs: 30 * DAY_MS, where: 't.input_sealed is not null' },
        ['input_sealed', 'answer_sealed'],
      ),
    },
  },
];

/** Requests that wait for another operator. */
export const waitingApprovals = countOfWaiting(
  'approvals.waiting',
  `select created_at as at from approvals.approval where status = 'PENDING'`,
);

export const room: Room = { retention, sealedColumns };
