import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { RunOnce } from './run-once.ts';

/**
 * Commits, and what is done under keys says so in the same transaction: with `commit`, which saves a round trip.
 *
 * @throws also where PostgreSQL rolled back instead
 */
export async function commitAs(client: PoolClient, runs: readonly RunOnce[]): Promise<void> {
  const marked = Promise.all(runs.map(({ mark }) => client.query(mark)));
  const committed = client.query('commit').catch((error: unknown) => {
    if (mayHaveCommitted(error)) for (const run of runs) run.isInDoubt = true;
    throw error;
  });
  const [, { command }] = await settled(marked, committed);
  // In a transaction of which a statement failed, `commit` rolls back and says so only by its name.
  if (command !== 'COMMIT') throw new Error(`the transaction was not committed: ${command}`);
}

/** One statement in a transaction by itself, which these runs mark. It takes one round trip. */
export async function queryAs<Row extends QueryResultRow>(
  pool: Pool,
  runs: readonly RunOnce[],
  statement: QueryConfig,
): Promise<QueryResult<Row>> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const answered = settled(client.query('begin'), client.query<Row>(statement));
    const [[, result]] = await settled(answered, commitAs(client, runs));
    return result;
  } catch (error) {
    broken = error as Error; // as `pool.query` does
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Classes of SQLSTATEs with which PostgreSQL says that it did not commit: what else it says, it may say after it did. */
const ROLLED_BACK = /^(?!40003)(2\d|3\w|4\w|5[345]|P0)/;

function mayHaveCommitted(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code !== 'string' || !ROLLED_BACK.test(code);
}

/** The results of both. When one fails, the other is waited for first: nothing goes on behind a rollback. */
export async function settled<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
