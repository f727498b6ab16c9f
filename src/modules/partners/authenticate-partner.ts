import type { Pool } from 'pg';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import { DomainError } from '#lib/domain-error.ts';
import { concerning } from '#lib/security-events.ts';
import { keyPrefix } from './credentials.ts';
import { selectCredentials } from './store.ts';

export interface AuthenticatedPartner {
  id: string;
  name: string;
  redirectUrl: string;
}

const STORABLE = /^[\x21-\x7e]{1,200}$/;

/**
 * The partner that a client id and an API key belong to. Missing, unknown and wrong credentials get the same answer.
 *
 * @throws DomainError INVALID_CREDENTIALS, KEY_ENVIRONMENT_MISMATCH for a key of another environment, PARTNER_SUSPENDED
 */
export async function authenticatePartner(
  { pool, environment }: { pool: Pool; environment: string },
  { clientId = '', apiKey = '' }: { clientId: string | undefined; apiKey: string | undefined },
): Promise<AuthenticatedPartner> {
  const foreign = /^sk_(sandbox|staging|live)_/.exec(apiKey)?.[1];
  if (foreign !== undefined && !apiKey.startsWith(keyPrefix(environment))) {
    throw new DomainError(
      'KEY_ENVIRONMENT_MISMATCH',
      `this x-api-key is of the ${foreign} environment, and this is ${environment}`,
    );
  }
  const found = STORABLE.test(clientId) ? await selectCredentials(pool, sha256(clientId)) : undefined;
  if (found !== undefined) concerning({ partnerId: found.id });
  const digest = sha256(apiKey);
  const matches = (found?.digests ?? []).filter((known) => equalDigests(known, digest));
  if (found === undefined || matches.length === 0) {
    throw new DomainError('INVALID_CREDENTIALS', 'x-client-id and x-api-key are missing or not valid');
  }
  if (found.status === 'SUSPENDED') throw new DomainError('PARTNER_SUSPENDED', 'this partner is suspended');
  return { id: found.id, name: found.name, redirectUrl: found.redirect_url };
}
