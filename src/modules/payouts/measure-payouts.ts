import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

export interface PayoutsState {
  /** How many have no end yet. */
  open: { state: 'PENDING' | 'SENT' | 'UNKNOWN'; count: number }[];
  /** How long ago the oldest was sent of which nobody knows what became; 0 where there is none. */
  oldestUnknownS: number;
}

const selectOpen = preparedText<{ state: 'PENDING' | 'SENT' | 'UNKNOWN'; count: number; oldest: number }>(
  'payouts.open-state',
  `select s.state, count(p.id)::int as count, coalesce(extract(epoch from now() - min(p.sent_at)), 0)::float8 as oldest
    from unnest(array['PENDING', 'SENT', 'UNKNOWN']) as s (state) left join payouts.payout p on p.state = s.state
    group by s.state`,
);

/** What is on its way to banks, for metrics. */
export async function measurePayouts(db: Executor): Promise<PayoutsState> {
  const open = await selectOpen(db, []);
  const unknown = open.find(({ state }) => state === 'UNKNOWN');
  return {
    open: open.map(({ state, count }) => ({ state, count })),
    oldestUnknownS: Math.max(0, unknown?.oldest ?? 0),
  };
}
