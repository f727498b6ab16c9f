import type { Keyring } from '#lib/crypto/keyring.ts';
import type { BoundedCache, Caches } from '#lib/postgres/caches.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { firstKeyIsOver } from './credentials.ts';
import { CREDENTIALS, type PartnerCredentials, readCredentials } from './partner-store.ts';

/** Credentials of partners, by the digest of the client id in hexadecimal. */
export type PartnerCredentialsCache = BoundedCache<PartnerCredentials>;

/** Keeps in memory what partners' calls are authenticated by. */
export const cachePartnerCredentials = (
  caches: Caches,
  db: Database,
  installation: Parameters<typeof firstKeyIsOver>[0] & { keyring: Keyring },
): PartnerCredentialsCache =>
  caches.open(CREDENTIALS, async (keys) => {
    const digests = keys.map((key) => Buffer.from(key, 'hex'));
    const rows = await readCredentials(db, installation.keyring, digests, firstKeyIsOver(installation));
    return new Map(rows.map((row) => [row.clientIdDigest.toString('hex'), row]));
  });
