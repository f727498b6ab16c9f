import pg from 'pg';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import { stamp } from './tables.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** This process and this database do not belong together. `message` is the reason in one line. */
export class InstallationMismatch extends Error {
  override readonly name = 'InstallationMismatch';
}

/** Below 18 it has no `uuidv7()`. */
const POSTGRESQL_MIN = 18;

interface Stamp {
  environment: string;
  masterKeyFingerprint: string;
}

/**
 * Checks before any change that a database belongs to this process, and that its PostgreSQL version is supported.
 *
 * @param expected `mayBeNew`: whether a new database passes
 * @throws InstallationMismatch
 */
export async function assertInstallation(
  databaseUrl: string,
  { environment, rootKeyIds, mayBeNew }: { environment: string; rootKeyIds: readonly string[]; mayBeNew: boolean },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    const { rows: known } = await client.query<{ stamp: string | null; version: string }>(
      `select to_regclass('installation.stamp')::text as stamp, current_setting('server_version') as version`,
    );
    const [{ stamp: stamped, version } = { stamp: null, version: '0' }] = known;
    if (Number.parseInt(version, 10) < POSTGRESQL_MIN) {
      throw new InstallationMismatch(
        `DATABASE_URL: ${placeOf(client)} is PostgreSQL ${version}: PostgreSQL ${POSTGRESQL_MIN} or newer is needed`,
      );
    }
    if (stamped === null && mayBeNew) return;
    if (stamped === null) {
      throw new InstallationMismatch(
        `the database ${placeOf(client)} is empty: start the server first or run "paytag migrate", or correct DATABASE_URL`,
      );
    }
    const { rows } = await client.query<Stamp>(
      'select environment, master_key_fingerprint as "masterKeyFingerprint" from installation.stamp',
    );
    if (rows[0] !== undefined) assertOurs(rows[0], environment, rootKeyIds);
  } finally {
    await client.end();
  }
}

/**
 * Stamps a new database with its environment and the fingerprint of its root key, and checks every later start against
 * them: a live server never opens a sandbox's database, and no process works with another root key.
 *
 * @param rootKeyIds the root keys of this process; the first one wraps
 * @throws InstallationMismatch
 */
export async function stampInstallation(
  db: Database,
  environment: string,
  rootKeyIds: readonly [string, ...string[]],
): Promise<void> {
  await db.insert(stamp).values({ environment, masterKeyFingerprint: rootKeyIds[0] }).onConflictDoNothing();
  const [stamped] = await db.select().from(stamp);
  if (stamped === undefined) throw new Error('the stamp of this installation is missing');
  assertOurs(stamped, environment, rootKeyIds);
}

/** The root key that wraps the keys of this installation; undefined before the first start. */
export async function stampedRootKey(db: Executor): Promise<string | undefined> {
  const [stamped] = await db.select({ id: stamp.masterKeyFingerprint }).from(stamp);
  return stamped?.id;
}

/** Stores that another root key wraps the keys. */
export async function stampRootKey(tx: Tx, rootKeyId: string): Promise<void> {
  await tx.update(stamp).set({ masterKeyFingerprint: rootKeyId });
}

/** The error for keys that none of our root keys wrapped. */
export const foreignRootKey = (): InstallationMismatch =>
  new InstallationMismatch(
    'MASTER_KEY is not the key this database was sealed with: set its last key as MASTER_KEY, or as MASTER_KEY_PREVIOUS until "paytag keys rewrap" has run',
  );

const placeOf = ({ host, port, database }: pg.Client): string => `${host}:${port}/${database}`;

function assertOurs(stamped: Stamp, environment: string, rootKeyIds: readonly string[]): void {
  if (stamped.environment !== environment) {
    throw new InstallationMismatch(
      `ENVIRONMENT is ${environment}, but this database is the ${stamped.environment} one: correct ENVIRONMENT or DATABASE_URL`,
    );
  }
  if (!rootKeyIds.includes(stamped.masterKeyFingerprint)) throw foreignRootKey();
}

/** The applied migrations: their number, the last one, and the version that applied it. */
const selectSchema = preparedText<{ applied: number; latest: string | null; version: string | null }>(
  'installation.schema',
  `select count(*)::int as applied, (array_agg(tag order by created_at desc))[1] as latest,
      (array_agg(version order by created_at desc))[1] as version
    from drizzle.__drizzle_migrations`,
);

/** Facts that identify one process of a server. */
export interface ProcessFacts {
  version: string;
  node: string;
  host: string;
  pid: number;
  startedAt: Date;
}

/** The state of the database schema. */
export interface Schema {
  /** The number of applied migrations. */
  applied: number;
  /** The last of them, and the version that applied it. */
  latest: string | undefined;
  appliedBy: string | undefined;
}

/** The settings of this process, which may differ between processes, and the schema of their shared database. */
export async function readSettings<Setting>(
  { processFacts, settings }: { processFacts: ProcessFacts; settings: readonly Setting[] },
  db: Executor,
): Promise<{ process: ProcessFacts; schema: Schema; settings: readonly Setting[] }> {
  const [row] = await selectSchema(db, []);
  const schema = {
    applied: row?.applied ?? 0,
    latest: row?.latest ?? undefined,
    appliedBy: row?.version ?? undefined,
  };
  return { process: processFacts, schema, settings };
}

const selectInstalledAt = preparedText<{ at: string }>(
  'installation.installed-at',
  `select to_json(created_at) #>> '{}' as at from installation.stamp`,
);

/** When this installation was created; undefined for a database without a stamp. */
export async function installedAt(on: Executor): Promise<Date | undefined> {
  const [installation] = await selectInstalledAt(on, []);
  return installation && new Date(installation.at);
}
