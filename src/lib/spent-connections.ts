import pg from 'pg';

/**
 * SQLSTATEs of a conflict with other transactions (40), and of a backend that lacks disk or memory, or cannot read its files (53, 58).
 * Another connection may do better: it has a backend of its own, and, behind a name or a pooler, perhaps another server.
 */
const SPENT = /^(40|53|58)/;

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
