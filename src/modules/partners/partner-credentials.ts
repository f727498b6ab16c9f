import type { BoundedCache } from '#lib/bounded-cache.ts';
import type { Caches } from '#lib/caches.ts';
import type { Database } from '#lib/database.ts';
import { firstKeyIsOver } from './credentials.ts';
import { CREDENTIALS, type PartnerCredentials, selectCredentials } from './store.ts';

/** Credentials of partners, by the digest of the client id in hexadecimal. */
export type PartnerCredentialsCache = BoundedCache<PartnerCredentials>;

/** Keeps in memory what partners' calls are authenticated by. */
export const cachePartnerCredentials = (
  caches: Caches,
  db: Database,
  installation: Parameters<typeof firstKeyIsOver>[0],
): PartnerCredentialsCache =>
  caches.open(CREDENTIALS, async (keys) => {
    const rows = await selectCredentials(db, [
      keys.map((key) => Buffer.from(key, 'hex')),
      firstKeyIsOver(installation),
    ]);
    return new Map(rows.map((row) => [row.clientIdDigest.toString('hex'), row]));
  });
