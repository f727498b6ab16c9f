import type { QueryResultRow } from 'pg';
import { fillPlaceholders, type Placeholder, sql } from '#drizzle';
import { drizzle } from '#drizzle/node-postgres';
import { sha256 } from './crypto/digest.ts';
import { connectionsOf, type Database, type Executor } from './database.ts';
import { isPlannedForValues, planFor } from './plan-mode.ts';
import type { Answer, PreparedText } from './prepared-query.ts';
import { rowMapper, type SelectedField } from './row-mapper.ts';

/** Stands for the values of a call while its statement is built. */
export type Given<Values> = { readonly [Name in keyof Values & string]: Placeholder<Name, Values[Name]> };

/**
 * Runs a prepared statement with these values. In a transaction it runs there. Outside of one, a read shares a pipelined
 * connection with others (`lib/reads.ts`), and what writes takes a connection of the pool.
 */
export type Prepared<Values, Result> = (on: Executor, values: Values) => Promise<Result>;

interface Options {
  /** A statement that reads as `select` and changes something all the same: it takes a connection of the pool. */
  readonly writes?: boolean;
}

/** What a statement runs on. */
export interface Client {
  query(query: PreparedText, values?: unknown[]): Promise<Answer>;
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
const names = new Set<string>();

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
  if (names.has(name)) throw new Error(`two prepared statements are called ${name}`);
  if (Buffer.byteLength(name) > NAME_BYTES_MAX)
    throw new Error(`the name of a prepared statement is too long: ${name}`);
  names.add(name);
}

/** Bytes of a digest in a name. */
const DIGEST_BYTES = 4;

/**
 * Names one of several statements, which are built as they are needed, by what tells them apart. It is the same name in every
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

/** That of a transaction or a connection, or else the pool. */
export const clientOf = (on: Executor): Client => (on._.session as unknown as { client: Client }).client;
