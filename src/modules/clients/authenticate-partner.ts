import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { BoundedCache, Caches } from '#lib/postgres/caches.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { randomId, randomToken } from '#lib/random.ts';
import { concerning } from '#lib/security-events.ts';
import { CREDENTIALS, type PartnerCredentials, readCredentials } from './partner-store.ts';

export interface AuthenticatedPartner {
  id: string;
  name: string;
  redirectUrl: string;
  /** The API key of the call. */
  keyId: string;
}

const STORABLE = /^[\x21-\x7e]{1,200}$/;

/**
 * The partner that a client id and an API key belong to. Missing, unknown and wrong credentials get the same answer. Accepted
 * credentials may be cached for less than a second; a refusal always follows a fresh read.
 *
 * @throws DomainError INVALID_CREDENTIALS, KEY_ENVIRONMENT_MISMATCH for a key of another environment, PARTNER_SUSPENDED;
 *   AlteredRecord if the row of the partner or the key was altered
 */
export async function authenticatePartner(
  { partnerCredentials, environment }: { partnerCredentials: PartnerCredentialsCache; environment: string },
  { clientId = '', apiKey = '' }: { clientId: string | undefined; apiKey: string | undefined },
): Promise<AuthenticatedPartner> {
  const foreign = /^sk_(sandbox|staging|live)_/.exec(apiKey)?.[1];
  if (foreign !== undefined && !apiKey.startsWith(keyPrefix(environment))) {
    throw new DomainError(
      'KEY_ENVIRONMENT_MISMATCH',
      `this x-api-key is of the ${foreign} environment, and this is ${environment}`,
    );
  }
  if (!STORABLE.test(clientId)) throw invalidCredentials();
  const client = sha256(clientId).toString('hex');
  const key = sha256(apiKey);
  const isGood = (one: PartnerCredentials) => {
    const used = keyOf(one, key);
    return used !== undefined && (one.altered ?? used.altered) === undefined && one.status === 'ACTIVE';
  };
  const found = await partnerCredentials.get(client, isGood);
  if (found !== undefined) concerning({ partnerId: found.id });
  const used = found && keyOf(found, key);
  if (found === undefined || used === undefined) throw invalidCredentials();
  const altered = found.altered ?? used.altered;
  if (altered !== undefined) throw altered;
  if (found.status === 'SUSPENDED') throw new DomainError('PARTNER_SUSPENDED', 'this partner is suspended');
  return { id: found.id, name: found.name, redirectUrl: found.redirectUrl, keyId: used.id };
}

/** Compares with all of them, in constant time. */
const keyOf = ({ keys }: PartnerCredentials, key: Buffer) => keys.filter(({ digest }) => equalDigests(digest, key))[0];

const invalidCredentials = () =>
  new DomainError('INVALID_CREDENTIALS', 'x-client-id and x-api-key are missing or not valid');

/** Credentials of partners, by the digest of the client id in hexadecimal. */
export type PartnerCredentialsCache = BoundedCache<PartnerCredentials>;

/** Caches the credentials of partners. */
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

/** The prefix of every API key of an environment. */
const keyPrefix = (environment: string): string => `sk_${environment}_`;

/** As long as a link to a new secret. */
const FIRST_KEY_MS = 72 * 60 * 60 * 1000;

/** In live, the first key of a partner created before this moment has expired, because an operator has seen it. Null elsewhere. */
export const firstKeyIsOver = ({ clock, environment }: { clock: Clock; environment: string }): Date | null =>
  environment === 'live' ? new Date(clock.now().getTime() - FIRST_KEY_MS) : null;

/** 128 random bits, because R-Signature is keyed with it. */
export const newClientId = (): string => `pc_${randomId()}`;

/** 256 random bits after the prefix of the environment. */
export const newApiKey = (environment: string): string => keyPrefix(environment) + randomToken();
