import type { Pool } from 'pg';
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
