import type { Database } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Transact } from '#lib/postgres/transact.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;
/** For an audit of the year and of that before. */
export const TWO_YEARS_MS = 2 * 366 * DAY_MS;

/** Rows in one statement at most: few enough that their locks and their writes disturb nobody. */
export const FORGOTTEN_AT_ONCE = 500;

/** What forgetting takes. */
export interface Store {
  db: Database;
  transact: Transact;
}

/** What one statement, or one short transaction, has forgotten. */
export interface Forgotten {
  rows: number;
  /** Nothing is left whose time is over, but what others are at work on. */
  isAll: boolean;
}

/**
 * Forgets some of what may not be kept any more at `now`: about FORGOTTEN_AT_ONCE rows, in a transaction of its own. So it can
 * be cut off at any moment, and the next call goes on.
 */
export type Forget<Deps = Store> = (deps: Deps, now: Date) => Promise<Forgotten>;

/** How long a table is kept. A room exports those of its own tables. */
export interface Retention<Deps = Store> {
  /** Schema and name; `*` for all tables of a schema. */
  readonly table: string;
  /** How long its rows are kept, and what of them is kept shorter. A variable that decides stands there by its name. */
  readonly kept: string;
  /** Why so long and no longer. */
  readonly why: string;
  /** What forgets, each by a name of its own; none where nothing ends by time. */
  readonly forget?: Readonly<Record<string, Forget<Deps>>>;
}

/** Rows of a table whose time is over. All of it is SQL of ours. */
interface Expired {
  readonly table: string;
  /** The column with the moment from which is counted; an index begins with it. */
  readonly by: string;
  /** So long after that moment. */
  readonly afterMs: number;
  /** What else must be true, of the row `t`. */
  readonly where?: string;
  /** Nothing changes a row, and the server may not: then none is locked before it goes. */
  readonly isImmutable?: boolean;
}

const expired = ({ table, by, where, isImmutable = false }: Expired): string =>
  `select t.ctid from ${table} t where t.${by} < $1 ${where === undefined ? '' : `and ${where}`}
    order by t.${by} limit ${FORGOTTEN_AT_ONCE} ${isImmutable ? '' : 'for update skip locked'}`;

/** Deletes rows, the oldest first. Whoever is at work on a row keeps it until the next time. */
export function deletes(of: Expired): Forget<Pick<Store, 'db'>> {
  return counted(of, `delete from ${of.table} where ctid = any (array(${expired(of)}))`);
}

/** Empties columns of rows that stay, the oldest first. */
export function empties(of: Expired, columns: readonly [string, ...string[]]): Forget<Pick<Store, 'db'>> {
  const emptied = columns.map((column) => `${column} = null`).join(', ');
  return counted(of, `update ${of.table} set ${emptied} where ctid = any (array(${expired(of)}))`);
}

function counted({ table, by, afterMs }: Expired, statement: string): Forget<Pick<Store, 'db'>> {
  const run = preparedText<{ rows: number }>(
    `${table}.forget-by-${by}`,
    `with gone as (${statement} returning 1) select count(*)::int as rows from gone`,
    { writes: true },
  );
  return async ({ db }, now) => {
    const [row] = await run(db, [new Date(now.getTime() - afterMs)]);
    const rows = row?.rows ?? 0;
    return { rows, isAll: rows < FORGOTTEN_AT_ONCE };
  };
}
