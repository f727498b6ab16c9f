import pg from 'pg';

/**
 * SQLSTATEs of a conflict with other transactions (40), of a backend that lacks disk or memory, or cannot read its files (53, 58), and
 * of a session that PostgreSQL ends (57P, 25P03, 25P04), also where a pooler keeps our connection open all the same. Another
 * connection may do better: it has a backend of its own, and, behind a name or a pooler, perhaps another server.
 *
 * Not 25P02: what was sent right behind a statement that a rule refuses in a transaction fails so. Nor 57014, which ends one statement.
 * 25006 ends a connection that writes (`lib/database-watch.ts`), and none that only reads.
 */
const SPENT = /^(40|53|58|57P|25P0[34])/;

/** Whether a connection on which a statement failed so is not used again. */
export const isSpent = (error: unknown): boolean => error instanceof pg.DatabaseError && SPENT.test(error.code ?? '');

/**
 * Has a pool end each connection on which a statement failed so, once it is given back: whoever had it need not know of it, and what
 * was under way on it has its answer.
 */
export function dropSpent(pool: pg.Pool): void {
  const spent = new WeakSet<pg.ClientBase>();
  pool.on('connect', (client) => {
    (client as pg.Client).connection.on('errorMessage', ({ code = '' }: pg.DatabaseError) => {
      if (SPENT.test(code)) spent.add(client);
    });
  });
  pool.on('release', (_error, client) => {
    if (spent.has(client)) void (client as pg.Client).end(); // the pool keeps none that is being ended
  });
}
