import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { concerning } from '#lib/security-events.ts';
import { expectKeySet, sign } from '#modules/keys';
import type { KnownAddresses } from '#modules/limits';
import type { ApplicationCredentialsCache } from './application-credentials.ts';
import type { ApplicationCredentials } from './application-store.ts';
import { type ApplicationTokens, applicationTokenKind } from './authenticate-application.ts';
import { isSecretOf } from './client-credentials.ts';

type Deps = {
  db: Database;
  keyring: Keyring;
  clock: Clock;
  knownAddresses: KnownAddresses;
  applicationCredentials: ApplicationCredentialsCache;
} & ApplicationTokens;

const GRANT_TYPE = 'client_credentials';

export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  /** `client_credentials`, also when left out. */
  grantType?: string | undefined;
  scope?: string | undefined;
}

/**
 * Exchanges an application's credentials for a bearer token (OAuth 2.0 client credentials, RFC 6749 4.4).
 *
 * @throws DomainError UNSUPPORTED_GRANT_TYPE; INVALID_SCOPE for any scope, since a token is good for all that the
 *   application may do; INVALID_CLIENT, the same for an unknown id and a wrong secret;
 *   APPLICATION_NOT_ACTIVE when the credentials are right and the application is not approved yet, or is suspended;
 *   AlteredRecord for one that is not as we stored it
 */
export async function issueApplicationToken(
  deps: Deps,
  { clientId, clientSecret, grantType = GRANT_TYPE, scope }: ClientCredentials,
): Promise<{ accessToken: string; expiresInS: number }> {
  if (grantType !== GRANT_TYPE) {
    throw new DomainError('UNSUPPORTED_GRANT_TYPE', `grant_type: must be ${GRANT_TYPE}`);
  }
  if (scope !== undefined) {
    throw new DomainError('INVALID_SCOPE', 'scope: there is none to ask for, leave it out');
  }
  const now = deps.clock.now();
  expectKeySet(deps); // in one round trip with what they prove
  const isGood = (one: ApplicationCredentials) =>
    isSecretOf(one, clientSecret, now) && one.status === 'ACTIVE' && one.altered === undefined;
  const application = await deps.applicationCredentials.byClientId.get(sha256(clientId).toString('hex'), isGood);
  if (application !== undefined) concerning({ applicationId: application.id });
  const isRight = isSecretOf(application, clientSecret, now);
  if (isRight && application?.altered !== undefined) throw application.altered;
  if (application === undefined || !isRight) {
    throw new DomainError('INVALID_CLIENT', 'the client id or the client secret is wrong');
  }
  if (application.status !== 'ACTIVE') {
    throw new DomainError(
      'APPLICATION_NOT_ACTIVE',
      application.status === 'PENDING' ? 'the application waits for approval' : 'the application is suspended',
    );
  }
  deps.knownAddresses.note(`application:${application.id}`);
  const iat = Math.floor(now.getTime() / 1000);
  const expiresInS = deps.tokens.applicationTtlS;
  const { id: sub, tokenGeneration: generation } = application;
  // RFC 9068, 2.2: client_id names the client; it is not the client_id that is sent with the secret, which is kept quiet.
  const claims = { sub, client_id: sub, jti: randomUUID(), iat, exp: iat + expiresInS, generation };
  return { accessToken: await sign(deps, applicationTokenKind(deps), claims), expiresInS };
}
