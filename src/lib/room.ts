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

/** What a room says of its own tables. `rooms.ts` reads it from every room. */
export interface Room<RetentionDeps = Store> {
  /** How long each table is kept. */
  readonly retention?: readonly Retention<RetentionDeps>[];
  /** What must be true of the rows at any moment. */
  readonly invariants?: (deps: InvariantDeps) => readonly Invariant[];
  /** The columns whose values are sealed: what a rekey seals again. */
  readonly sealedColumns?: readonly SealedColumn[];
  /** What of the rows decides where money, events and codes go: each row has a MAC of it. */
  readonly routingFacts?: readonly RoutingFacts[];
  /** What an export of a customer shows, by its name there. */
  readonly exports?: Readonly<Record<string, ExportOf>>;
  /** Deletes what is a customer's and the books do not need. */
  readonly erase?: EraseOf;
}

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

/** What a room keeps of a customer, opened: without secrets, and without what secrets are recognised by. */
export type ExportOf = (
  sources: { db: Executor; keyring: Keyring; securityLog: SecurityLog },
  customerId: string,
) => Promise<Record<string, unknown> | readonly Record<string, unknown>[]>;

/** Deletes what a room keeps of a customer and the books do not need. Called with the customer locked, and before their own record is erased. */
export type EraseOf = (sources: { tx: Tx; keyring: Keyring; now: Date }, customerId: string) => Promise<void>;

/** What a statement about a customer is given. */
export type OfCustomer = Given<{ customerId: string }>;

/** The most of one kind in a document, newest first: whoever has more is told how many there are. */
export const EXPORTED_MAX = 10_000;

/** The newest of many, and whether these are all. */
export const newestOf = <Item>(items: readonly Item[], count: number) => ({
  count,
  isComplete: count <= items.length,
  items,
});

/** A row that breaks an invariant: what names it, and what is wrong with it. */
export type OffendingRow = Record<string, unknown>;

/** What a check looks at: everything, or what is new since a moment. */
export interface Scope {
  /** Absent: everything. */
  readonly since: Date | undefined;
  /** An SQL condition: the row is in scope by this column, which is a timestamptz. */
  readonly moment: (column: string) => string;
  /** The same, and ten minutes before: for rows beside which the one in scope is held, and that may be a little older. */
  readonly around: (column: string) => string;
  /** An SQL condition: the row is in scope by this column, which is a UUID of version 7. */
  readonly id: (column: string) => string;
}

interface Described {
  /** In snake case: the name of a check in answers, logs and metrics. */
  readonly name: string;
  /** What it promises, in one sentence. */
  readonly promise: string;
  /** Why it can be told of everything only; absent where it can be told of what is new alone. */
  readonly wholeOnly?: string;
}

/** A time, from one moment until just before another; without an end on the side that it lacks. */
export interface Slice {
  from: Date | undefined;
  to: Date | undefined;
}

/** Told by one query, and so of one snapshot. */
export interface SqlInvariant extends Described {
  /** A query whose rows break the invariant. */
  offenders(scope: Scope): string;
  /**
   * Where everything is more than one query can tell in its time: it is told slice by slice. A query for the slices, as `starts` and
   * `ends` in ISO 8601, null for none; each row that breaks the invariant is in the scope of one of them.
   */
  readonly slices?: string;
}

/** Reads rows in one snapshot, and writes nothing. */
export interface Reader {
  /** The rows of a query, one after the other: few of them are in memory at a time. */
  stream<Row extends OffendingRow>(query: string): AsyncIterable<Row>;
}

/** Told by a program that reads rows, e.g. because it needs a key that the database lacks. */
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
