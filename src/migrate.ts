import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { z } from 'zod';
import { migrate } from '#drizzle/migrator';
import { drizzle } from '#drizzle/node-postgres';
import { sha256 } from '#lib/crypto/digest.ts';
import { InstallationMismatch } from '#modules/installation';

/** Key of the advisory lock: any number, the same in every process. */
const MIGRATION_LOCK = '7236514021';
const MIGRATIONS_FOLDER = fileURLToPath(new URL('../migrations', import.meta.url));
const CONNECT_TIMEOUT_MS = 10_000;

/** The schema of BullMQ's tables, used when there is no Redis. */
export const QUEUE_SCHEMA = 'bullmq';

const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });

/**
 * Applies the pending migrations, ours and BullMQ's, and gives the server's role its rights. Processes that call it at once
 * take turns, and one of them applies.
 *
 * @param ownerUrl connects as the role that owns the tables, or will
 * @throws InstallationMismatch for a database that other migrations made
 */
export async function migrateDatabase(ownerUrl: string): Promise<void> {
  await connected(ownerUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if ((await schemaState(client)) === 'current') return;
    await migrate(drizzle(client), { migrationsFolder: MIGRATIONS_FOLDER, migrationsSchema: 'drizzle' });
    const { runMigrations } = await import('bullmq');
    await runMigrations(client, QUEUE_SCHEMA);
    await giveRights(client);
  });
}

/** Applies nothing to a database that is current, so that a role without any right to do so can ask for it. */
export async function migrateIfBehind(ownerUrl: string): Promise<void> {
  if ((await connected(ownerUrl, schemaState)) !== 'current') await migrateDatabase(ownerUrl);
}

/**
 * For a server that may not migrate. A database that is ahead is none of its business: a newer version is being rolled out.
 *
 * @throws InstallationMismatch when migrations are pending
 */
export async function assertMigrated(url: string): Promise<void> {
  if ((await connected(url, schemaState)) !== 'behind') return;
  throw new InstallationMismatch(
    'the database is not up to date: run "paytag migrate" first, with the owner’s role (DATABASE_OWNER_URL)',
  );
}

async function connected<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const options = '-c lock_timeout=60s';
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, options });
  client.on('error', () => undefined); // a connection that breaks fails the running statement, and so this call
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end(); // ends the session, which releases the lock
  }
}

/**
 * `behind` when migrations of ours are pending; `rights` when only the rights of the server's role are not those of this
 * version. A database that a newer version has migrated is left as it is.
 *
 * @throws InstallationMismatch for a database that other migrations made
 */
async function schemaState(client: pg.Client): Promise<'behind' | 'rights' | 'current'> {
  const { rows: known } = await client.query(
    `select to_regclass('drizzle.__drizzle_migrations') as migrations, obj_description(to_regnamespace('drizzle')) as rights`,
  );
  if (known[0]?.migrations === null) return 'behind';
  await assertMadeByOurs(client);
  const { rows } = await client.query<{ last: string | null }>(
    'select max(created_at) as last from drizzle.__drizzle_migrations',
  );
  const { entries } = journal.parse(JSON.parse(await readFile(`${MIGRATIONS_FOLDER}/meta/_journal.json`, 'utf8')));
  const ours = entries.at(-1)?.when ?? 0;
  const last = Number(rows[0]?.last ?? -1);
  if (last < ours) return 'behind';
  return last > ours || known[0]?.rights === (await versionOfRights()) ? 'current' : 'rights';
}

/** The rights of the server's role, as migrations/rights.sql decides them: all of them, or what they were before. */
async function giveRights(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query(await readFile(`${MIGRATIONS_FOLDER}/rights.sql`, 'utf8'));
  const { rows } = await client.query(`select from pg_roles where rolname = 'paytag_server_role'`);
  if (rows.length > 0) await client.query(`comment on schema drizzle is '${await versionOfRights()}'`);
  await client.query('commit');
}

/** Another one whenever the rights have to be given again: with each migration, and with BullMQ's. */
async function versionOfRights(): Promise<string> {
  const files = ['rights.sql', 'meta/_journal.json'].map((name) => readFile(`${MIGRATIONS_FOLDER}/${name}`, 'utf8'));
  const { version } = z.object({ version: z.string() }).parse(createRequire(import.meta.url)('bullmq/package.json'));
  return `rights ${sha256([...(await Promise.all(files)), version].join('\n')).toString('hex')}`;
}

/**
 * The migrator looks at times alone: on the tables of an older schema it would find nothing to apply, and the server would
 * start without what it needs. What it stored of the first migration is the digest of its file.
 */
async function assertMadeByOurs(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at limit 1',
  );
  const ours = sha256(await readFile(`${MIGRATIONS_FOLDER}/0000_schema.sql`, 'utf8')).toString('hex');
  if (rows[0] === undefined || rows[0].hash === ours) return;
  throw new InstallationMismatch(
    'this database was made by an unreleased version: give an empty one (DATABASE_URL), or remove the folder of the embedded one (DATA_DIR)',
  );
}
