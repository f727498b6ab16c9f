import { DAY_MS, deletes, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'onboarding.creation_session',
    kept: 'a day after it expired',
    why: 'a late answer is told that it is late',
    forget: { rows: deletes({ table: 'onboarding.creation_session', by: 'expires_at', afterMs: DAY_MS }) },
  },
];
