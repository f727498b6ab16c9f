import type { QueryResultRow } from 'pg';
import { Column, fillPlaceholders, getTableName, is, type Placeholder, SQL, sql } from '#drizzle';
import { drizzle } from '#drizzle/node-postgres';
import type { PgColumn, PgTable } from '#drizzle/pg-core';
import { sha256 } from '../crypto/digest.ts';
import {
  type Client,
  clientOf,
  connectionsOf,
  type Database,
  type Executor,
  isPlannedForValues,
  planFor,
} from './executor.ts';
import type { PreparedText } from './pipelined-reads.ts';

/** Stands for the values of a call while its statement is built. */
export type Given<Values> = { readonly [Name in keyof Values & string]: Placeholder<Name, Values[Name]> };

/**
 * Runs a prepared statement with these values. In a transaction it runs there. Outside of one, a read shares a pipelined
 * connection with others (`lib/postgres/pipelined-reads.ts`), and what writes takes a connection of the pool.
 */
export type Prepared<Values, Result> = (on: Executor, values: Values) => Promise<Result>;

interface Options {
  /** A statement that reads as `select` and changes something all the same: it takes a connection of the pool. */
  readonly writes?: boolean;
}

/** What drizzle's prepared query of node-postgres is made of, as far as we use it. */
export interface Statement<Result> {
  readonly client: Client;
  /** For rows as arrays. */
  readonly queryConfig: PreparedText;
  readonly params: unknown[];
  /** Undefined of a statement that returns no rows. */
  readonly fields: SelectedField[] | undefined;
  readonly joinsNotNullableMap: Record<string, boolean> | undefined;
  execute(values: Record<string, unknown>): Promise<Result>;
}
/** Runs a statement on a connection. */
type Run<Result> = (client: Client, values: Record<string, unknown>) => Promise<Result>;

/** Builds statements, and has no connection. */
export const builder: Database = drizzle.mock();
const registered = new Set<string>();

/**
 * A statement of drizzle's, built once, when it is first needed, and prepared in PostgreSQL under its name. What it costs
 * each time is neither building nor planning.
 *
 * @param name of this statement and no other: room and what it reads, e.g. `wallets.by-reference`
 * @param build makes the statement, with a placeholder for each value: `eq(wallet.reference, given.reference)`
 */
export function prepared<Values extends object, Result>(
  name: string,
  build: (
    db: Database,
    given: Given<Values>,
  ) => { prepare(name: string): { execute(values?: object): Promise<Result> } },
  options: Options = {},
): Prepared<Values, Result> {
  register(name);
  const given = new Proxy({}, { get: (_, key) => sql.placeholder(String(key)) }) as Given<Values>;
  let run: Run<Result> | undefined;
  let writes = options.writes ?? false;
  return (on, values) => {
    if (run === undefined) {
      const statement = build(builder, given).prepare(name) as unknown as Statement<Result>;
      writes ||= !/^select\b/i.test(statement.queryConfig.text);
      run = runnerOf(statement);
    }
    return run(clientFor(on, { writes }), values as Record<string, unknown>);
  };
}

/** Sent before it returns, so that statements which are called one after the other are sent in that order. */
export function runnerOf<Result>(statement: Statement<Result>): Run<Result> {
  const { queryConfig, params, fields, joinsNotNullableMap } = statement;
  const toRow = fields && rowMapper(fields, joinsNotNullableMap);
  if (toRow === undefined) {
    return (client, values) => {
      const here: Statement<Result> = Object.create(statement, { client: { value: client } });
      return here.execute(values);
    };
  }
  return async (client, values) => {
    const { rows } = await client.query(queryConfig, fillPlaceholders(params, values));
    return (rows as unknown[][]).map(toRow) as Result;
  };
}

/** The first row of a prepared statement, or undefined: for what is found by a unique key. As `prepared`. */
export function preparedOne<Values extends object, Row>(
  name: string,
  build: (
    db: Database,
    given: Given<Values>,
  ) => { prepare(name: string): { execute(values?: object): Promise<Row[]> } },
  options: Options = {},
): Prepared<Values, Row | undefined> {
  const run = prepared(name, build, options);
  return async (on, values) => (await run(on, values))[0];
}

/**
 * A statement in SQL, prepared in PostgreSQL under its name.
 *
 * @param name of this statement and no other: room and what it reads, e.g. `claims.directory`
 */
export function preparedText<Row extends QueryResultRow>(
  name: string,
  text: string,
  options: Options = {},
): Prepared<unknown[], Row[]> {
  register(name);
  const statement = { name, text };
  return async (on, values) => (await clientFor(on, options).query(statement, values)).rows as Row[];
}

/** PostgreSQL looks at so much of a name, and would take two that begin alike for one. */
const NAME_BYTES_MAX = 63;

/** Gives a name to one statement. @throws Error when another has it, or when it is too long */
export function register(name: string): void {
  if (registered.has(name)) throw new Error(`two prepared statements are called ${name}`);
  if (Buffer.byteLength(name) > NAME_BYTES_MAX)
    throw new Error(`the name of a prepared statement is too long: ${name}`);
  registered.add(name);
}

/** Bytes of a digest in a name. */
const DIGEST_BYTES = 4;

/**
 * Names one of several statements, which are built as they are needed, by what they differ in. It is the same name in every
 * process: traces show it.
 */
export const nameAfter = (name: string, what: string): string =>
  `${name}.${sha256(what).toString('hex', 0, DIGEST_BYTES)}`;

function clientFor(on: Executor, { writes }: Options): Client {
  const connections = connectionsOf(on);
  if (connections !== undefined) return writes ? connections.pool : connections.reads;
  const client = clientOf(on);
  if (!isPlannedForValues(on)) planFor(client, 'any');
  return client;
}

/** Stands for the value of each column that a call gives, for `values` and `set`. */
export type Written<Columns> = { [Name in keyof Columns]: SQL };

/**
 * A statement that writes the columns which a call gives: of what is undefined it says nothing. It is built once for each set
 * of columns, when that is first needed, and prepared as `prepared` does. Code gives few sets: never columns that a caller chooses
 * freely.
 *
 * @param name of this statement and no other: room and what it writes
 * @param build makes the statement: `db.update(session).set(written).where(eq(session.id, given.id))`
 */
export function preparedColumns<Columns extends object, Values extends object, Result>(
  name: string,
  table: PgTable,
  build: (
    db: Database,
    written: Written<Columns>,
    given: Given<Values>,
  ) => { prepare(name: string): { execute(values?: object): Promise<Result> } },
): (on: Executor, columns: Columns, values: Values) => Promise<Result> {
  const statements = new Map<string, Prepared<object, Result>>();
  const columnsOf = table as unknown as Record<string, PgColumn>;

  function prepare(key: string, names: readonly string[]): Prepared<object, Result> {
    const placed = names.map((column) => [column, placeholderOf(column, columnsOf[column])]);
    const written = Object.fromEntries(placed) as Written<Columns>;
    return prepared(nameAfter(name, key), (db, given) => build(db, written, given as Given<Values>));
  }

  return (on, columns, values) => {
    const entries = Object.entries(columns).filter(([, value]) => value !== undefined);
    const names = entries.map(([column]) => column).toSorted();
    const key = names.join();
    let run = statements.get(key);
    if (run === undefined) statements.set(key, (run = prepare(key, names)));
    return run(on, { ...values, ...Object.fromEntries(entries.map(([column, value]) => [VALUE + column, value])) });
  };
}

/** Columns may be called as values are that the rest of a statement is given. */
const VALUE = 'value of ';

/** drizzle asks the column how to write a value, and most columns cannot write null. */
function placeholderOf(name: string, column: PgColumn | undefined): SQL {
  if (column === undefined) throw new Error(`there is no column ${name}`);
  const value = sql.placeholder(VALUE + name);
  const encoder = { mapToDriverValue: (one: unknown) => (one === null ? null : column.mapToDriverValue(one)) };
  return sql`${sql.param(value, encoder)}`;
}

/** Turns a value of node-postgres into one of TypeScript. */
interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

/** A selected column or expression, and where its value stands in the object of a row, as drizzle-orm lists them. */
export interface SelectedField {
  readonly path: readonly string[];
  readonly field: unknown;
}

/** A value of an object inside of the row's: `{ wallet: { id } }`. */
interface Nested {
  /** The table of its columns, while it has columns of one table only. */
  table: string | undefined;
  /** Its first column. */
  first: number;
}

/**
 * Makes objects of rows as drizzle-orm does, with what is the same for every row worked out once: that takes most of the
 * time of a read of one row. What a left join did not find is null.
 *
 * @param notNullable tables that a join always finds, as drizzle-orm knows them; undefined without joins
 * @returns undefined where objects stand in objects of objects
 */
export function rowMapper<Row>(
  fields: readonly SelectedField[],
  notNullable: Readonly<Record<string, boolean>> | undefined,
): ((row: readonly unknown[]) => Row) | undefined {
  if (fields.some(({ path }) => path.length > 2)) return undefined;
  const steps = fields.map(({ path, field }) => {
    const [outer = '', inner] = path;
    return { outer, inner, decoder: decoderOf(field) };
  });
  const absent =
    notNullable === undefined ? [] : [...innersOf(fields)].filter(([, { table }]) => isOptional(table, notNullable));
  return (row) => {
    const made: Record<string, unknown> = {};
    for (let at = 0; at < steps.length; at += 1) {
      const step = steps[at];
      if (step === undefined) break;
      const raw = row[at];
      const value = raw === null ? null : step.decoder.mapFromDriverValue(raw);
      if (step.inner === undefined) made[step.outer] = value;
      else ((made[step.outer] ??= {}) as Record<string, unknown>)[step.inner] = value;
    }
    for (const [name, { first }] of absent) if (row[first] === null) made[name] = null;
    return made as Row;
  };
}

const isOptional = (table: string | undefined, notNullable: Readonly<Record<string, boolean>>): boolean =>
  table !== undefined && notNullable[table] !== true;

function innersOf(fields: readonly SelectedField[]): Map<string, Nested> {
  const inners = new Map<string, Nested>();
  for (const [at, { path, field }] of fields.entries()) {
    if (path.length !== 2 || !is(field, Column)) continue;
    const [name = ''] = path;
    const table = getTableName(field.table);
    const inner = inners.get(name);
    if (inner === undefined) inners.set(name, { table, first: at });
    else if (inner.table !== table) inner.table = undefined;
  }
  return inners;
}

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field;
  const expression = is(field, SQL) ? field : (field as { sql: SQL }).sql;
  return (expression as unknown as { decoder: Decoder }).decoder;
}
