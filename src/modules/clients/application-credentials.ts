import type { Keyring } from '#lib/crypto/keyring.ts';
import type { BoundedCache, Caches } from '#lib/postgres/caches.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { type ApplicationCredentials, CREDENTIALS, readByClientIds, readByIds } from './application-store.ts';

export interface ApplicationCredentialsCache {
  /** By the application's id. */
  readonly byId: BoundedCache<ApplicationCredentials>;
  /** By the digest of its client id in hexadecimal. */
  readonly byClientId: BoundedCache<ApplicationCredentials>;
}

/** Keeps in memory what applications are authenticated by. */
export const cacheApplicationCredentials = (
  caches: Caches,
  db: Database,
  keyring: Keyring,
): ApplicationCredentialsCache => ({
  byId: caches.open(CREDENTIALS, async (ids) => {
    const rows = await readByIds(db, keyring, ids);
    return new Map(rows.map((row) => [row.id, row]));
  }),
  byClientId: caches.open(CREDENTIALS, async (keys) => {
    const digests = keys.map((key) => Buffer.from(key, 'hex'));
    const rows = await readByClientIds(db, keyring, digests);
    return new Map(rows.map((row) => [String(row.clientIdDigest?.toString('hex')), row]));
  }),
});
