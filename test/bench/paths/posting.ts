import { openDatabase } from '#lib/database.ts';
import type { Embedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { hasPgbench, pgbench, pgbenchBefore, seededAt } from '../ledger/pgbench.ts';
import type { Row } from '../table.ts';

const ACCOUNTS = 1_000;

/** The posting function called by PostgreSQL's own benchmark program, beside what it was. */
export async function* posting({ postgres }: { postgres: Embedded }): AsyncGenerator<Row> {
  const what = 'pgbench, one posting a call, of 0028';
  if (!(await hasPgbench())) {
    yield { what: `${what}: needs pgbench on the PATH` };
    return;
  }
  const admin = openDatabase(postgres.url('postgres'), 1, console.error);
  await admin.pool.query('create database posting');
  await admin.close();
  const url = postgres.url('posting');
  await migrateDatabase(url);
  const ceiling = await pgbenchBefore(postgres, ACCOUNTS);
  const ours = await pgbench(url, await seededAt(url, ACCOUNTS), false);
  yield { what, ours, ceiling, ratio: ours / ceiling, target: { atLeast: 2 } };
}
