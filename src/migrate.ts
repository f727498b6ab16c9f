import { fileURLToPath } from 'node:url';
import { runMigrations } from 'bullmq';
import pg from 'pg';
import { migrate } from '#drizzle/migrator';
import { drizzle } from '#drizzle/node-postgres';

/** Key of the advisory lock: any number, the same in every process. */
const MIGRATION_LOCK = '7236514021';
const MIGRATIONS_FOLDER = fileURLToPath(new URL('../migrations', import.meta.url));

/** The schema of BullMQ's tables, used when there is no Redis. */
export const QUEUE_SCHEMA = 'bullmq';

/** Applies the pending migrations, ours and BullMQ's. Processes that call it at once take turns, and one of them applies. */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, options: '-c lock_timeout=60s' });
  client.on('error', () => undefined); // a connection that breaks fails the running statement, and so this call
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER, migrationsSchema: 'drizzle' });
    await runMigrations(client, QUEUE_SCHEMA);
  } finally {
    await client.end(); // ends the session, which releases the lock
  }
}
