import type { BoundedCache } from '#lib/bounded-cache.ts';
import type { Caches } from '#lib/caches.ts';
import type { Database } from '#lib/database.ts';
import { CREDENTIALS, type PartnerCredentials, selectCredentials } from './store.ts';

/** Credentials of partners, by the digest of the client id in hexadecimal. */
export type PartnerCredentialsCache = BoundedCache<PartnerCredentials>;

/** Keeps in memory what partners' calls are authenticated by. */
export const cachePartnerCredentials = (caches: Caches, db: Database): PartnerCredentialsCache =>
  caches.open(CREDENTIALS, async (keys) => {
    const rows = await selectCredentials(db, [keys.map((key) => Buffer.from(key, 'hex'))]);
    return new Map(rows.map((row) => [row.clientIdDigest.toString('hex'), row]));
  });
