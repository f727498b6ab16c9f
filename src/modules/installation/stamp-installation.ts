import type { Environment } from '../../config.ts';
import type { Keyring } from '../../lib/crypto/keyring.ts';
import type { Database } from '../../lib/database.ts';
import { stamp } from './tables.ts';

/** This process and this database do not belong together. `message` is one line that says why. */
export class InstallationMismatch extends Error {
  override readonly name = 'InstallationMismatch';
}

/**
 * Stamps a new database with its environment and the fingerprint of its master key, and holds every later start
 * against that: a live server never opens a sandbox's database, and data is never sealed with two keys.
 *
 * @throws InstallationMismatch
 */
export async function stampInstallation(db: Database, environment: Environment, keyring: Keyring): Promise<void> {
  await db.insert(stamp).values({ environment, masterKeyFingerprint: keyring.fingerprint }).onConflictDoNothing();
  const [stamped] = await db.select().from(stamp);
  if (stamped?.environment !== environment) {
    throw new InstallationMismatch(
      `ENVIRONMENT is ${environment}, but this database is the ${stamped?.environment} one: correct ENVIRONMENT or DATABASE_URL`,
    );
  }
  if (stamped.masterKeyFingerprint !== keyring.fingerprint) {
    throw new InstallationMismatch(
      'MASTER_KEY is not the key this database was sealed with: give the one it was first started with',
    );
  }
}
