import pg from 'pg';
import type { Logger } from 'pino';

/** What is wrong with a database whose connections work: requests fail, whichever connection they take. */
const troubles = {
  SILENT: 'it does not answer',
  UNREPLICATED: 'its commits wait for a standby that does not answer',
  READ_ONLY: 'it is read-only: a standby, or made so',
  DISK_FULL: 'its disk is full',
  OUT_OF_MEMORY: 'it is out of memory',
  TOO_MANY_CONNECTIONS: 'it has no connection left',
  FAULTY: 'its files cannot be read or written',
} as const;

export type DatabaseTrouble = keyof typeof troubles;

const byCode: Readonly<Record<string, DatabaseTrouble>> = {
  '25006': 'READ_ONLY',
  '53100': 'DISK_FULL',
  '53200': 'OUT_OF_MEMORY',
  '53300': 'TOO_MANY_CONNECTIONS',
  '58000': 'FAULTY',
  '58030': 'FAULTY',
};

/** What an SQLSTATE says of the whole database; undefined for what concerns one statement or connection. */
export const troubleOf = (code: string | undefined): DatabaseTrouble | undefined => byCode[code ?? ''];

/** Logs what begins, and that it is over: two lines for an outage, however many requests it fails. */
export const logTrouble = (log: Logger) => (trouble: DatabaseTrouble | undefined) => {
  if (trouble === undefined) log.info({ event: 'database.recovered' }, 'the database serves requests again');
  else log.error({ event: 'database.failed', trouble }, `the database serves no requests: ${troubles[trouble]}`);
};

/**
 * SQLSTATEs of a conflict with other transactions (40), of a backend that lacks disk or memory, or cannot read its files (53, 58), and
 * of a session that PostgreSQL ends (57P, 25P03, 25P04), also where a pooler keeps our connection open all the same. Another
 * connection may do better: it has a backend of its own, and, behind a name or a pooler, perhaps another server.
 *
 * Not 25P02: what was sent right behind a statement that a rule refuses in a transaction fails so. Nor 57014, which ends one statement.
 * 25006 ends a connection that writes (`lib/postgres/watch.ts`), and none that only reads.
 */
const SPENT = /^(40|53|58|57P|25P0[34])/;

/** Whether a connection on which a statement failed so is not used again. */
export const isSpent = (error: unknown): boolean => error instanceof pg.DatabaseError && SPENT.test(error.code ?? '');

/**
 * Has a pool end each connection on which a statement failed so, once it is given back: its user need not know, and every
 * statement on it has its answer.
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

/**
 * True when PostgreSQL no longer takes a prepared statement on its connection: a migration changed what the statement answers,
 * or it was never prepared there. It is taken again on a new connection.
 */
export function isStalePlan(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code, routine } = at as { code?: unknown; routine?: unknown };
    if (code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')) return true;
  }
  return false;
}

/** SQLSTATE of a statement that was cancelled, e.g. by its time limit. */
const CANCELLED = '57014';

/** True when the error, or what caused it, is a statement that took longer than its connection allows: drizzle wraps what failed. */
export function isCancelled(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ((at as { code?: unknown }).code === CANCELLED) return true;
  }
  return false;
}
