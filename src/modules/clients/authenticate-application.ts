import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { concerning } from '#lib/security-events.ts';
import { expectToken, type TokenKind, verify } from '#modules/keys';
import type { ApplicationCredentialsCache } from './application-credentials.ts';
import type { ApplicationCredentials } from './application-store.ts';

/** An application that has authenticated itself. */
export interface AuthenticatedApplication {
  id: string;
  name: string;
  namespace: string;
}

/** Who issues application tokens, and for how many seconds. */
export type ApplicationTokens = { publicUrl: string; tokens: { applicationTtlS: number } };

/** What an application token says it is: an access token (RFC 9068) for the switch. Its audience is not that of a customer's. */
export const applicationTokenKind = ({ publicUrl, tokens }: ApplicationTokens): TokenKind => ({
  typ: 'at+jwt',
  issuer: publicUrl,
  audience: `${publicUrl}/api`,
  lifetimeS: tokens.applicationTtlS,
});

/**
 * The application whose token this is. Its status and the generation of its tokens are looked at on every call, as they were
 * less than a second ago: what a suspension or a rotation ends is refused by this process at once, and by others within a
 * second.
 *
 * @throws DomainError INVALID_APPLICATION_TOKEN, the same for a missing, forged, expired or foreign token, and for
 *   one from before the client secret was rotated `immediately`;
 *   APPLICATION_NOT_ACTIVE for one that was suspended after it got its token; AlteredRecord for one that is not as we stored it
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
  // A token of 0.1.0 says no generation: it is of the first.
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
