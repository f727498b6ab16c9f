import { DAY_MS, empties, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'inbox.message',
    kept: 'for ever; its body, 90 days after it was booked, ignored or dismissed',
    why: 'the books: what was booked from it; for so long it is looked at when something is wrong',
    forget: {
      bodies: empties(
        { table: 'inbox.message', by: 'ended_at', afterMs: 90 * DAY_MS, where: 't.body_sealed is not null' },
        ['body_sealed'],
      ),
    },
  },
];
