import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import bullmq from 'bullmq/package.json' with { type: 'json' };
import pg from 'pg';
import { sha256 } from '#lib/crypto/digest.ts';
import { InstallationMismatch } from '#modules/keys';
import { applyFunctions, applyMigration, giveWay, readFunctions, type Say, withoutQueueing } from './schema/apply.ts';
import { assertWorksWith, findApplied, MIGRATIONS_FOLDER, prepareTables, readMigrations } from './schema/migrations.ts';
import { version } from './version.ts';

/** Key of the advisory lock: any number, the same in every process. */
const MIGRATION_LOCK = '7236514021';
const CONNECT_TIMEOUT_MS = 10_000;
const LOOK_AGAIN_MS = 200;
const SAY_AGAIN_MS = 10_000;

/** The schema of BullMQ's tables, used when there is no Redis. */
export const QUEUE_SCHEMA = 'bullmq';

interface Given {
  /** Receives a line for each wait and for the end. */
  say?: Say | undefined;
  /** Holds the migrations, the functions and rights.sql. */
  folder?: string | undefined;
}

const silently: Say = () => undefined;

/**
 * Applies the pending migrations, ours and BullMQ's, then the changed functions, and grants the server's role its rights. Of several
 * processes one applies while the others wait. No statement blocks writers for longer than two seconds while it waits for its locks.
 *
 * @param ownerUrl connects as the role that owns the tables, or will
 * @throws InstallationMismatch for a database that other migrations made, and for a newer one that does not work with this version
 */
export async function migrateDatabase(
  ownerUrl: string,
  { say = silently, folder = MIGRATIONS_FOLDER }: Given = {},
): Promise<void> {
  await connected(ownerUrl, async (client) => {
    await takeTurn(client, say);
    const { state, pending, last } = await schemaState(client, folder);
    if (state === 'current') return;
    await prepareTables(client);
    for (const migration of pending) await applyMigration(client, migration, say);
    const { runMigrations } = await import('bullmq');
    await giveWay(client, { what: 'the migration of the queue', say }, async () => {
      await runMigrations(client, QUEUE_SCHEMA);
    });
    await applyFunctions(client, folder, say);
    await withoutQueueing(client, { what: 'applying rights', say }, async () => {
      await client.query(await readFile(`${folder}/rights.sql`, 'utf8'));
      const { rows } = await client.query(`select from pg_roles where rolname = 'paytag_server_role'`);
      if (rows.length === 0) return; // rights are granted once the role exists
      await client.query(`comment on schema drizzle is ${client.escapeLiteral(await repeatablePart(folder))}`);
    });
    say(`database ready (schema ${last.slice(0, 4)})`);
  });
}

/** As `migrateDatabase`, but a current database is only read, so that a role without rights can call it. */
export async function migrateIfBehind(ownerUrl: string, given: Given = {}): Promise<void> {
  const { state } = await connected(ownerUrl, (client) => schemaState(client, given.folder ?? MIGRATIONS_FOLDER));
  if (state !== 'current') await migrateDatabase(ownerUrl, given);
}

/**
 * For a server that may not migrate. Waits while another process migrates.
 *
 * @throws InstallationMismatch when migrations are pending, and for a newer schema that does not work with this version
 */
export async function assertMigrated(url: string, say: Say = silently): Promise<void> {
  await connected(url, async (client) => {
    await waitForMigration(client, say);
    const { state } = await schemaState(client, MIGRATIONS_FOLDER);
    if (state !== 'behind') return;
    throw new InstallationMismatch(
      'the database is not up to date: run "paytag migrate" first, with the owner’s role (DATABASE_OWNER_URL)',
    );
  });
}

async function connected<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined); // a connection that breaks fails the running statement, and so this call
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end(); // ends the session, which releases the lock
  }
}

/**
 * Waits for the lock that the migrating process holds until its session ends. Polls: a waiting statement would block CREATE INDEX
 * CONCURRENTLY, which waits for every running statement.
 */
async function takeTurn(client: pg.Client, say: Say): Promise<void> {
  await until(client, 'select pg_try_advisory_lock($1) as done', say);
}

async function waitForMigration(client: pg.Client, say: Say): Promise<void> {
  const isFree = `select not exists (select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32) + objid::bigint = $1::bigint) as done`;
  await until(client, isFree, say);
}

async function until(client: pg.Client, done: string, say: Say): Promise<void> {
  const begun = performance.now();
  let saidAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const { rows } = await client.query(done, [MIGRATION_LOCK]);
    if (rows[0]?.done === true) return;
    const now = performance.now();
    if (now - saidAt >= SAY_AGAIN_MS) {
      const forS = Math.round((now - begun) / 1000);
      say(`waiting for another process that migrates this database${forS > 0 ? `, for ${forS} s so far` : ''}`);
      saidAt = now;
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

/**
 * `behind`: migrations are pending. `changed`: only the functions or the rights of the server's role differ from this version's.
 * `current`: also a database that a newer version has migrated.
 *
 * @throws InstallationMismatch for a database that other migrations made, and for a newer one that does not work with this version
 */
async function schemaState(client: pg.Client, folder: string) {
  const ours = await readMigrations(folder);
  const last = ours.at(-1)?.tag ?? '';
  const { pending, foreign } = await findApplied(client, ours);
  assertWorksWith(foreign, ours);
  if (pending.length > 0) return { state: 'behind', pending, last } as const;
  const { rows } = await client.query<{ applied: string | null }>(
    `select obj_description(to_regnamespace('drizzle')) as applied`,
  );
  const applied = rows[0]?.applied ?? '';
  const isCurrent = foreign.length > 0 || applied === (await repeatablePart(folder)) || isNewer(applied);
  return { state: isCurrent ? 'current' : 'changed', pending, last } as const;
}

/** A digest of what is applied whenever it changes: the functions, and the rights, which each migration grants again. */
async function repeatablePart(folder: string): Promise<string> {
  const files = ['rights.sql', 'meta/_journal.json'].map((name) => readFile(`${folder}/${name}`, 'utf8'));
  const functions = (await readFunctions(folder)).map(({ name, hash }) => `${name} ${hash}`);
  const digest = sha256([...(await Promise.all(files)), ...functions, bullmq.version].join('\n')).toString('hex');
  return `functions and rights of version ${version}, ${digest}`;
}

/** True for functions of a newer version: an older server that starts does not replace them. */
function isNewer(applied: string): boolean {
  const of = /of version ([\d.]+),/.exec(applied)?.[1];
  return of !== undefined && of.localeCompare(version, 'en', { numeric: true }) > 0;
}
