import type { BoundedCache } from '#lib/bounded-cache.ts';
import type { Caches } from '#lib/caches.ts';
import type { Database } from '#lib/database.ts';
import { type ApplicationCredentials, CREDENTIALS, selectByClientIds, selectByIds } from './application-store.ts';

export interface ApplicationCredentialsCache {
  /** By the application's id. */
  readonly byId: BoundedCache<ApplicationCredentials>;
  /** By the digest of its client id in hexadecimal. */
  readonly byClientId: BoundedCache<ApplicationCredentials>;
}

/** Keeps in memory what applications are authenticated by. */
export const cacheApplicationCredentials = (caches: Caches, db: Database): ApplicationCredentialsCache => ({
  byId: caches.open(CREDENTIALS, async (ids) => new Map((await selectByIds(db, [ids])).map((row) => [row.id, row]))),
  byClientId: caches.open(CREDENTIALS, async (keys) => {
    const rows = await selectByClientIds(db, [keys.map((key) => Buffer.from(key, 'hex'))]);
    return new Map(rows.map((row) => [String(row.clientIdDigest?.toString('hex')), row]));
  }),
});
