import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runMigrations } from 'bullmq';
import pg from 'pg';
import { migrate } from '#drizzle/migrator';
import { drizzle } from '#drizzle/node-postgres';
import { sha256 } from '#lib/crypto/digest.ts';
import { InstallationMismatch } from '#modules/installation';

/** Key of the advisory lock: any number, the same in every process. */
const MIGRATION_LOCK = '7236514021';
const MIGRATIONS_FOLDER = fileURLToPath(new URL('../migrations', import.meta.url));

/** The schema of BullMQ's tables, used when there is no Redis. */
export const QUEUE_SCHEMA = 'bullmq';

/**
 * Applies the pending migrations, ours and BullMQ's. Processes that call it at once take turns, and one of them applies.
 *
 * @throws InstallationMismatch for a database that other migrations made
 */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, options: '-c lock_timeout=60s' });
  client.on('error', () => undefined); // a connection that breaks fails the running statement, and so this call
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await assertMadeByOurs(client);
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER, migrationsSchema: 'drizzle' });
    await runMigrations(client, QUEUE_SCHEMA);
  } finally {
    await client.end(); // ends the session, which releases the lock
  }
}

/**
 * The migrator looks at times alone: on the tables of an older schema it would find nothing to apply, and the server would
 * start without what it needs. What it stored of the first migration is the digest of its file.
 */
async function assertMadeByOurs(client: pg.Client): Promise<void> {
  const { rows: known } = await client.query(`select to_regclass('drizzle.__drizzle_migrations') as migrations`);
  if (known[0]?.migrations === null) return;
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at limit 1',
  );
  const ours = sha256(await readFile(`${MIGRATIONS_FOLDER}/0000_schema.sql`, 'utf8')).toString('hex');
  if (rows[0] === undefined || rows[0].hash === ours) return;
  throw new InstallationMismatch(
    'this database was made by an unreleased version: give an empty one (DATABASE_URL), or remove the folder of the embedded one (DATA_DIR)',
  );
}
