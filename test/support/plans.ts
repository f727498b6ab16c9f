import { AsyncLocalStorage } from 'node:async_hooks';
import pg, { type Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from './eventually.ts';

/** A node of a plan, as `explain (analyze, format json)` shows it. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Schema?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  /** Read and passed over. */
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** A statement that was run, with the plan it ran by. */
export interface Explained {
  'Query Text': string;
  Plan: PlanNode;
}

/** What every connection made to a database from now on writes into PostgreSQL's log: each statement with its plan. */
const SETTINGS: Record<string, string> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_verbose': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_parameter_max_length': '0',
};

/**
 * Has every statement of new connections explained, those inside functions included.
 *
 * @param owner a superuser's pool on the database
 */
export async function explainAll(owner: Pool): Promise<void> {
  const { rows } = await owner.query<{ name: string }>('select current_database() as name');
  for (const [setting, value] of Object.entries(SETTINGS)) {
    await owner.query(`alter database ${rows[0]?.name} set ${setting} = '${value}'`);
  }
}

const LOG = `current_setting('data_directory') || '/../../postgres.log'`;

/** Where PostgreSQL's log ends now. */
export async function endOfLog(owner: Pool): Promise<number> {
  const { rows } = await owner.query<{ size: string }>(`select size from pg_stat_file(${LOG})`);
  return Number(rows[0]?.size);
}

/** What was explained of this database since. */
export const explainedSince = (owner: Pool, from: number): Promise<Explained[]> =>
  // a plan is read again while another connection is still writing it
  eventually(async () => {
    const { rows } = await owner.query<{ name: string; log: Buffer }>(
      `select current_database() as name, pg_read_binary_file(${LOG}, $1, $2) as log`,
      [from, (await endOfLog(owner)) - from],
    );
    const plans = new RegExp(` ${rows[0]?.name} LOG:  .* plan:\\n((?:\\t.*\\n)+)`, 'g');
    return [...String(rows[0]?.log).matchAll(plans)].map(([, json = '']) => JSON.parse(json.replaceAll(/^\t/gm, '')));
  });

/** All nodes of a plan. */
export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** How many rows a node read, those that it passed over included. */
export const rowsReadBy = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];

/** What was asked of PostgreSQL for one piece of work. */
export interface Counted {
  /** Every statement in the order in which they were sent, `begin` and `commit` among them, but for what sets the mode of planning. */
  readonly statements: readonly string[];
  /** How often something was sent that had waited for an answer. What goes out together counts once. */
  readonly roundTrips: number;
  /** Those that PostgreSQL reads and plans each time, as they have no name: `begin` and its like, which have no plan, left out. */
  readonly unnamed: readonly string[];
  /** The names of the others. */
  readonly names: readonly string[];
}

interface Counting {
  readonly statements: string[];
  readonly unnamed: string[];
  readonly names: string[];
  roundTrips: number;
  /** The most round trips that came before an answer which is there. */
  answered: number;
}

/** Says how what goes out with it is planned, where the connection was last asked for something else: by whom, a caller cannot tell. */
const PLAN_MODE = 'lib.plan-mode';

const HAS_NO_PLAN = /^(begin|commit|rollback|savepoint|release|set local|fetch|close)\b/;

const counting = new AsyncLocalStorage<Counting>();

/** The queue of wake-ups is told after the answer is settled, by connections of its own. */
const isOfTheQueue = (client: pg.Client): boolean =>
  (client as unknown as { connectionParameters: { application_name?: string } }).connectionParameters
    .application_name === 'paytag-queue';

/** Counts what the clients of this process send to PostgreSQL, while the tests of this file run. */
export function useCounting(): void {
  const query = Reflect.get(pg.Client.prototype, 'query') as (this: pg.Client, ...given: unknown[]) => unknown;

  function counted(this: pg.Client, ...given: unknown[]): unknown {
    const current = counting.getStore();
    if (current === undefined || isOfTheQueue(this)) return query.apply(this, given);
    const [config] = given;
    const { text, name = '' } =
      typeof config === 'string' ? { text: config } : (config as { text: string; name?: string });
    if (name === PLAN_MODE) return query.apply(this, given);
    current.statements.push(text);
    if (name !== '') current.names.push(name);
    else if (!HAS_NO_PLAN.test(text)) current.unnamed.push(text);
    const roundTrip = current.answered + 1;
    current.roundTrips = Math.max(current.roundTrips, roundTrip);
    const answer = () => void (current.answered = Math.max(current.answered, roundTrip));
    const asked = config as { callback?: unknown };
    if (typeof asked.callback === 'function') {
      const { callback } = asked;
      asked.callback = (...result: unknown[]): unknown => {
        answer();
        return callback.apply(asked, result);
      };
      return query.apply(this, given);
    }
    const at = given.findIndex((one) => typeof one === 'function');
    if (at !== -1) {
      const told = (...result: unknown[]): unknown => {
        answer();
        return (given[at] as (...result: unknown[]) => unknown)(...result);
      };
      return query.apply(this, given.with(at, told));
    }
    const result = query.apply(this, given) as Promise<unknown>;
    result.then(answer, answer);
    return result;
  }

  beforeAll(() => void Object.assign(pg.Client.prototype, { query: counted }));
  afterAll(() => void Object.assign(pg.Client.prototype, { query }));
}

/** What `work` asked of PostgreSQL until it was done. What others do meanwhile, timers and listeners too, is not counted. */
export async function countedIn<Result>(work: () => Promise<Result>): Promise<Counted & { result: Result }> {
  const current: Counting = { statements: [], unnamed: [], names: [], roundTrips: 0, answered: 0 };
  const result = await counting.run(current, work);
  const { statements, unnamed, names, roundTrips } = current;
  return { statements: [...statements], unnamed: [...unnamed], names: [...names], roundTrips, result };
}
