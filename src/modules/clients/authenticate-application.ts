import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import { equalDigests, sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { BoundedCache, Caches } from '#lib/postgres/caches.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { randomId, randomToken } from '#lib/random.ts';
import { concerning } from '#lib/security-events.ts';
import { expectKeySet, expectToken, sign, type TokenKind, verify } from '#modules/keys';
import type { KnownAddresses } from '#modules/limits';
import { type ApplicationCredentials, CREDENTIALS, readByClientIds, readByIds } from './application-store.ts';

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
 * @throws DomainError UNSUPPORTED_GRANT_TYPE; INVALID_SCOPE for any scope, since a token covers all that the
 *   application may do; INVALID_CLIENT, the same for an unknown id and a wrong secret;
 *   APPLICATION_NOT_ACTIVE when the credentials are right and the application is not approved yet, or is suspended;
 *   AlteredRecord if its row was altered
 */
export async function issueApplicationToken(
  deps: Deps,
  { clientId, clientSecret, grantType = GRANT_TYPE, scope }: ClientCredentials,
): Promise<{ accessToken: string; expiresInS: number }> {
  if (grantType !== GRANT_TYPE) {
    throw new DomainError('UNSUPPORTED_GRANT_TYPE', `grant_type: must be ${GRANT_TYPE}`);
  }
  if (scope !== undefined) {
    throw new DomainError('INVALID_SCOPE', 'scope: this server has no scopes, leave it out');
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
      application.status === 'PENDING' ? 'the application is pending approval' : 'the application is suspended',
    );
  }
  deps.knownAddresses.note(`application:${application.id}`);
  const iat = Math.floor(now.getTime() / 1000);
  const expiresInS = deps.tokens.applicationTtlS;
  const { id: sub, tokenGeneration: generation } = application;
  // RFC 9068, 2.2: client_id names the client; it is not the client_id that is sent with the secret, which stays confidential.
  const claims = { sub, client_id: sub, jti: randomUUID(), iat, exp: iat + expiresInS, generation };
  return { accessToken: await sign(deps, applicationTokenKind(deps), claims), expiresInS };
}

/** An application that has authenticated itself. */
export interface AuthenticatedApplication {
  id: string;
  name: string;
  namespace: string;
}

/** The issuer of application tokens, and their lifetime in seconds. */
export type ApplicationTokens = { publicUrl: string; tokens: { applicationTtlS: number } };

/** An access token (RFC 9068) for the switch. Its audience differs from that of a customer's token. */
const applicationTokenKind = ({ publicUrl, tokens }: ApplicationTokens): TokenKind => ({
  typ: 'at+jwt',
  issuer: publicUrl,
  audience: `${publicUrl}/api`,
  lifetimeS: tokens.applicationTtlS,
});

/**
 * The application whose token this is. Every call checks its status and the generation of its tokens, at most a second
 * old: after a suspension or a rotation this process refuses its tokens at once, and other processes within a second.
 *
 * @throws DomainError INVALID_APPLICATION_TOKEN, the same for a missing, forged, expired or foreign token, and for
 *   one from before the client secret was rotated `immediately`;
 *   APPLICATION_NOT_ACTIVE for one that was suspended after it got its token; AlteredRecord if its row was altered
 */
export async function authenticateApplication(
  deps: {
    db: Database;
    keyring: Keyring;
    clock: Clock;
    applicationCredentials: ApplicationCredentialsCache;
  } & ApplicationTokens,
  token: string | undefined,
): Promise<AuthenticatedApplication> {
  const expected = token === undefined ? undefined : expectToken(deps, token).sub;
  if (expected !== undefined) deps.applicationCredentials.byId.expect(expected); // in one round trip with the keys
  const claims = token === undefined ? undefined : await verify(deps, token, applicationTokenKind(deps));
  // A token of 0.1.0 has no generation: it is of the first.
  const isOf = (one: ApplicationCredentials) => (claims?.['generation'] ?? 0) === one.tokenGeneration;
  const isGood = (one: ApplicationCredentials) => isOf(one) && one.status === 'ACTIVE' && one.altered === undefined;
  const caller = claims && (await deps.applicationCredentials.byId.get(claims.sub, isGood));
  if (caller?.altered !== undefined) throw caller.altered;
  if (caller === undefined || !isOf(caller)) {
    throw new DomainError(
      'INVALID_APPLICATION_TOKEN',
      'the application token is missing or not valid: get one from POST /api/v1/auth/token',
    );
  }
  if (caller.status !== 'ACTIVE') {
    concerning({ applicationId: caller.id });
    throw new DomainError('APPLICATION_NOT_ACTIVE', 'the application is suspended');
  }
  return { id: caller.id, name: caller.name, namespace: caller.namespace };
}

export interface ApplicationCredentialsCache {
  /** By the application's id. */
  readonly byId: BoundedCache<ApplicationCredentials>;
  /** By the digest of its client id in hexadecimal. */
  readonly byClientId: BoundedCache<ApplicationCredentials>;
}

/** Caches the credentials of applications. */
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

/** 128 random bits: it keys the R-Signature of the application's webhooks. */
export const newClientId = (): string => `app_${randomId()}`;

/** 256 random bits after the prefix of the environment. */
export const newClientSecret = (environment: string): string => `as_${environment}_${randomToken()}`;

/** Compared with when an application has no secret, so that every refusal does the same work. */
const dummyDigest = sha256('no secret');

type SecretDigests = Pick<ApplicationCredentials, 'secretDigest' | 'previousSecretDigest' | 'previousSecretUntil'>;

/** Whether this is the application's client secret, or its previous one while that is accepted. In constant time. */
export function isSecretOf(row: SecretDigests | undefined, secret: string, now: Date): boolean {
  const given = sha256(secret);
  const isCurrent = equalDigests(row?.secretDigest ?? dummyDigest, given);
  const isPrevious = equalDigests(row?.previousSecretDigest ?? dummyDigest, given);
  const overlaps = row?.previousSecretUntil != null && row.previousSecretUntil > now;
  return row !== undefined && (isCurrent || (isPrevious && overlaps));
}
