import { DAY_MS, empties, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
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
