import type { Keyring } from './crypto/keyring.ts';
import type { RoutingFacts } from './crypto/routing-facts.ts';
import type { SealedColumn } from './crypto/sealed-column.ts';
import type { Database, Executor, Tx } from './postgres/executor.ts';
import type { Given } from './postgres/prepared.ts';
import { preparedText } from './postgres/prepared.ts';
import type { Transact } from './postgres/transact.ts';
import type { SecurityLog } from './security-events.ts';

export interface InvariantDeps {
  readonly keyring: Keyring;
  readonly nubanInstitutionCode: string;
  readonly isSample: IsSample;
}

/** A room's declarations about its own tables, which `rooms.ts` collects. */
export interface Room<RetentionDeps = Store> {
  /** How long each table is kept. */
  readonly retention?: readonly Retention<RetentionDeps>[];
  /** Conditions that hold for the rows at any moment. */
  readonly invariants?: (deps: InvariantDeps) => readonly Invariant[];
  /** The encrypted columns, which a rekey rewrites. */
  readonly sealedColumns?: readonly SealedColumn[];
  /** The columns that decide where money, events and codes go: each row has a MAC of them. */
  readonly routingFacts?: readonly RoutingFacts[];
  /** The parts of a customer's export, by their names there. */
  readonly exports?: Readonly<Record<string, ExportOf>>;
  /** Deletes a customer's data that the books do not need. */
  readonly erase?: EraseOf;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
/** For an audit of the year and of that before. */
export const TWO_YEARS_MS = 2 * 366 * DAY_MS;

/** Most rows of one statement: few enough that their locks and writes do not disturb requests. */
export const FORGOTTEN_AT_ONCE = 500;

/** The dependencies of retention. */
export interface Store {
  db: Database;
  transact: Transact;
}

/** The result of one statement or short transaction. */
export interface Forgotten {
  rows: number;
  /** No expired rows are left, except locked ones. */
  isAll: boolean;
}

/**
 * Deletes or empties about FORGOTTEN_AT_ONCE rows whose retention has ended at `now`, in its own transaction: an interrupted call is
 * resumed by the next.
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

/** The expired rows of a table, as our own SQL. */
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

/** Deletes expired rows, the oldest first. Locked rows are skipped until the next call. */
export function deletes(of: Expired): Forget<Pick<Store, 'db'>> {
  return counted(of, `delete from ${of.table} where ctid = any (array(${expired(of)}))`);
}

/** Empties columns of expired rows, the oldest first. */
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

/** What a room keeps of a customer, opened: without secrets, and without what secrets are recognised by. */
export type ExportOf = (
  sources: { db: Executor; keyring: Keyring; securityLog: SecurityLog },
  customerId: string,
) => Promise<Record<string, unknown> | readonly Record<string, unknown>[]>;

/** Deletes what a room keeps of a customer and the books do not need. Called with the customer locked, and before their own record is erased. */
export type EraseOf = (sources: { tx: Tx; keyring: Keyring; now: Date }, customerId: string) => Promise<void>;

/** What a statement about a customer is given. */
export type OfCustomer = Given<{ customerId: string }>;

/** Most items of one kind in an export, newest first; it also has their total. */
export const EXPORTED_MAX = 10_000;

/** The newest of many, and whether these are all. */
export const newestOf = <Item>(items: readonly Item[], count: number) => ({
  count,
  isComplete: count <= items.length,
  items,
});

/** A row that breaks an invariant: what names it, and what is wrong with it. */
export type OffendingRow = Record<string, unknown>;

/** The rows of a check: all, or those since a moment. */
export interface Scope {
  /** Absent: everything. */
  readonly since: Date | undefined;
  /** An SQL condition: the row is in scope by this column, which is a timestamptz. */
  readonly moment: (column: string) => string;
  /** The same with a margin of ten minutes: for rows that are compared with the one in scope and may be a little older. */
  readonly around: (column: string) => string;
  /** An SQL condition: the row is in scope by this column, which is a UUID of version 7. */
  readonly id: (column: string) => string;
}

interface Described {
  /** In snake case: the name of a check in answers, logs and metrics. */
  readonly name: string;
  /** The promise in one sentence. */
  readonly promise: string;
  /** Why it can only be checked for all rows; absent where new rows can be checked alone. */
  readonly wholeOnly?: string;
}

/** A time, from one moment until just before another; without an end on the side that it lacks. */
export interface Slice {
  from: Date | undefined;
  to: Date | undefined;
}

/** Checked by one query, and so in one snapshot. */
export interface SqlInvariant extends Described {
  /** A query whose rows break the invariant. */
  offenders(scope: Scope): string;
  /**
   * For checks that take too long in one query: they run slice by slice. A query for the slices, as `starts` and
   * `ends` in ISO 8601, null for none; each row that breaks the invariant is in the scope of one of them.
   */
  readonly slices?: string;
}

/** Reads rows in one snapshot, and writes nothing. */
export interface Reader {
  /** The rows of a query, one after the other: few of them are in memory at a time. */
  stream<Row extends OffendingRow>(query: string): AsyncIterable<Row>;
}

/** Checked by code that reads rows, e.g. because it needs a key that the database does not have. */
export interface StreamedInvariant extends Described {
  /** The rows that break the invariant. */
  find(reader: Reader, scope: Scope): AsyncIterable<OffendingRow>;
}

/** Something that must be true of the stored rows at any moment. A room exports those of its own tables. */
export type Invariant = SqlInvariant | StreamedInvariant;

/**
 * An SQL condition: an event of this reference may be one that the sandbox sent for show, about nothing that has happened. None
 * is in live.
 */
export type IsSample = (reference: string) => string;

const MARGIN_MS = 10 * 60 * 1000;

/** Everything that is stored. */
export const everything: Scope = { since: undefined, moment: () => 'true', around: () => 'true', id: () => 'true' };

/** What is new since a moment. */
export const newSince = (since: Date): Scope => ({
  since,
  moment: (column) => `${column} >= ${literal(since)}`,
  around: (column) => `${column} >= ${literal(new Date(since.getTime() - MARGIN_MS))}`,
  id: (column) => `${column} >= '${firstIdAt(since)}'::uuid`,
});

/** What is of a slice. */
export const within = ({ from, to }: Slice): Scope => {
  const between = (column: string, marginMs: number): string =>
    [
      ...(from === undefined ? [] : [`${column} >= ${literal(new Date(from.getTime() - marginMs))}`]),
      ...(to === undefined ? [] : [`${column} < ${literal(new Date(to.getTime() + marginMs))}`]),
      'true',
    ].join(' and ');
  return {
    since: from,
    moment: (column) => between(column, 0),
    around: (column) => between(column, MARGIN_MS),
    id: (column) =>
      [
        ...(from === undefined ? [] : [`${column} >= '${firstIdAt(from)}'::uuid`]),
        ...(to === undefined ? [] : [`${column} < '${firstIdAt(to)}'::uuid`]),
        'true',
      ].join(' and '),
  };
};

const literal = (moment: Date): string => `'${moment.toISOString()}'::timestamptz`;

/** The smallest UUID of version 7 at a moment: its first 48 bits are milliseconds (RFC 9562 5.7). */
const firstIdAt = (moment: Date): string => {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};
