import type { QueryResultRow } from 'pg';
import { is, SQL } from '#drizzle';
import type { Executor } from './database.ts';
import { isPlannedForValues, planFor } from './plan-mode.ts';
import { builder, type Client, clientOf, nameAfter, register, runnerOf, type Statement } from './prepared.ts';
import { isStalePlan } from './stale-plan.ts';

/** A select of drizzle's, built and not run. */
export interface Select<Row> {
  prepare(name: string): { execute(): Promise<Row[]> };
}

/** Shapes of one list that get a name, and of all: each takes about 45 kB in every connection that it was sent over. */
export const SHAPES_MAX = 64;
export const ALL_SHAPES_MAX = 512;

/** The shapes of one list: their names by their text. */
interface Shapes {
  readonly names: Map<string, string>;
  /** How often a name was given: none is given twice as it is. */
  readonly given: Map<string, number>;
}

const lists = new Map<string, Shapes>();
let kept = 0;

/**
 * Runs a select whose text follows from what is asked: which filters are given, in which order. It is built each time; what
 * PostgreSQL is sent again in the same shape it has prepared, by the name of the list and a digest of the text
 * (`wallets.page.6b86b273`). More shapes than are kept go without a name.
 *
 * What is asked must be parameters, never text; several values one array (`= any(…)`). It is planned each time for the values given,
 * since a plan for any values may read a table whole: by `DatabaseHandle.longReads` where no pooler stands between, and in a
 * transaction by `planForValues`. Where neither is so it goes without a name.
 *
 * @param list room and what is read, e.g. `audit.about`
 */
export async function shaped<Row>(on: Executor, list: string, select: Select<Row>): Promise<Row[]>;
export async function shaped<Row extends QueryResultRow>(on: Executor, list: string, text: SQL): Promise<Row[]>;
export async function shaped<Row>(on: Executor, list: string, query: Select<Row> | SQL): Promise<Row[]> {
  const client = clientOf(on);
  const { text, run } = is(query, SQL) ? ofText<Row>(client, query) : ofSelect(client, query);
  const name = isPlannedForValues(on) || planFor(client, 'given') ? nameOf(list, text) : '';
  try {
    return await run(name);
  } catch (error) {
    if (name === '' || !isStalePlan(error)) throw error;
    forget(list, text);
    return run('').catch(() => {
      throw error; // of a transaction nothing is left
    });
  }
}

/** Sent by the name that it is given; without one, if that is empty. */
interface Built<Row> {
  readonly text: string;
  readonly run: (name: string) => Promise<Row[]>;
}

function ofSelect<Row>(client: Client, select: Select<Row>): Built<Row> {
  const statement = select.prepare('') as unknown as Statement<Row[]>;
  const { queryConfig } = statement;
  return {
    text: queryConfig.text,
    run: (name) => {
      const named: Statement<Row[]> = Object.create(statement, { queryConfig: { value: { ...queryConfig, name } } });
      return runnerOf(named)(client, {});
    },
  };
}

function ofText<Row>(client: Client, query: SQL): Built<Row> {
  const { sql: text, params } = builder.execute(query).getQuery(); // built, and not run: nobody waits for it
  return { text, run: async (name) => (await client.query({ name, text }, params)).rows as Row[] };
}

/** Empty when there are too many. */
function nameOf(list: string, text: string): string {
  const shapes = lists.get(list) ?? { names: new Map<string, string>(), given: new Map<string, number>() };
  lists.set(list, shapes);
  const known = shapes.names.get(text);
  if (known !== undefined) return known;
  if (shapes.names.size >= SHAPES_MAX || kept >= ALL_SHAPES_MAX) return '';
  const first = nameAfter(list, text);
  const times = (shapes.given.get(first) ?? 0) + 1;
  shapes.given.set(first, times);
  const name = times === 1 ? first : `${first}.${times}`;
  register(name);
  shapes.names.set(text, name);
  kept += 1;
  return name;
}

/** Under the next name, which ends with a number, it is prepared anew, wherever it was. */
function forget(list: string, text: string): void {
  if (lists.get(list)?.names.delete(text) === true) kept -= 1;
}
