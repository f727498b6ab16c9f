import { DAY_MS, deletes, type Retention } from '#lib/retention.ts';

/** How long each table of this room is kept. */
export const retention: readonly Retention[] = [
  {
    table: 'sessions.auth_code',
    kept: 'a day after it expired',
    why: 'a late replay ends the session that it gave',
    forget: { rows: deletes({ table: 'sessions.auth_code', by: 'expires_at', afterMs: DAY_MS }) },
  },
  {
    table: 'sessions.prior_login',
    kept: 'as long as the customer',
    why: 'who is new at a partner is told to their contacts',
  },
  {
    table: 'sessions.session',
    kept: 'a day after it expired',
    why: 'a late request is told that it is late',
    forget: {
      rows: deletes({
        table: 'sessions.session',
        by: 'expires_at',
        afterMs: DAY_MS,
        where: 'not exists (select from sessions.auth_code c where c.session_id = t.id)',
      }),
    },
  },
];
