import pg from 'pg';
import { createKeyring, type Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { stamp } from './tables.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** This process and this database do not belong together. `message` is one line that says why. */
export class InstallationMismatch extends Error {
  override readonly name = 'InstallationMismatch';
}

interface Stamp {
  environment: string;
  masterKeyFingerprint: string;
}

/**
 * Checks that a database belongs to this process, before anything in it is changed. A new database passes.
 *
 * @throws InstallationMismatch
 */
export async function assertInstallation(
  databaseUrl: string,
  { environment, masterKey }: { environment: string; masterKey: Buffer },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    const { rows: known } = await client.query(`select to_regclass('installation.stamp') as stamp`);
    if (known[0]?.stamp === null) return;
    const { rows } = await client.query<Stamp>(
      'select environment, master_key_fingerprint as "masterKeyFingerprint" from installation.stamp',
    );
    if (rows[0] !== undefined) assertOurs(rows[0], environment, createKeyring(masterKey));
  } finally {
    await client.end();
  }
}

/**
 * Stamps a new database with its environment and the fingerprint of its master key, and checks every later start against
 * them: a live server never opens a sandbox's database, and data is never sealed with two keys.
 *
 * @throws InstallationMismatch
 */
export async function stampInstallation(db: Database, environment: string, keyring: Keyring): Promise<void> {
  await db.insert(stamp).values({ environment, masterKeyFingerprint: keyring.fingerprint }).onConflictDoNothing();
  const [stamped] = await db.select().from(stamp);
  if (stamped === undefined) throw new Error('the stamp of this installation is missing');
  assertOurs(stamped, environment, keyring);
}

function assertOurs(stamped: Stamp, environment: string, keyring: Keyring): void {
  if (stamped.environment !== environment) {
    throw new InstallationMismatch(
      `ENVIRONMENT is ${environment}, but this database is the ${stamped.environment} one: correct ENVIRONMENT or DATABASE_URL`,
    );
  }
  if (stamped.masterKeyFingerprint !== keyring.fingerprint) {
    throw new InstallationMismatch(
      'MASTER_KEY is not the key this database was sealed with: give the one it was first started with',
    );
  }
}
