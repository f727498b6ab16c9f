import type { Pool } from 'pg';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { concerning } from '#lib/security-events.ts';
import { sign, type TokenKind, verify } from '#modules/signing-keys';
import { isSessionLive, type SessionRow } from './store.ts';

/** Who issues customer tokens, and for how many seconds. */
type CustomerTokens = { publicUrl: string; tokens: { customerTtlS: number } };

/** What a customer token says it is: an access token (RFC 9068) for the partner and SSO API. */
const customerTokenKind = ({ publicUrl, tokens }: CustomerTokens): TokenKind => ({
  typ: 'at+jwt',
  issuer: publicUrl,
  audience: `${publicUrl}/v2`,
  lifetimeS: tokens.customerTtlS,
});

/** A token's times are whole seconds since 1970. */
export const epochSeconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);

/**
 * The token of a session.
 *
 * @returns a JWT: ES256, `typ` at+jwt, iss, aud, sub (customer), azp (partner), iat, exp, jti (session)
 */
export function signCustomerToken(
  deps: { db: Database; keyring: Keyring; clock: Clock } & CustomerTokens,
  session: SessionRow,
): Promise<string> {
  return sign(deps, customerTokenKind(deps), {
    sub: session.customerId,
    azp: session.partnerId,
    jti: session.id,
    iat: epochSeconds(session.issuedAt),
    exp: epochSeconds(session.expiresAt),
  });
}

/**
 * The customer whose token this is. A token is good at the partner it was issued to, while its session lives.
 *
 * @returns the customer's id
 * @throws DomainError INVALID_CUSTOMER_TOKEN, the same for a missing, forged, expired, revoked or another partner's token
 */
export async function authenticateCustomer(
  deps: { db: Database; pool: Pool; keyring: Keyring; clock: Clock } & CustomerTokens,
  { partnerId, token }: { partnerId: string; token: string | undefined },
): Promise<string> {
  const claims = token === undefined ? undefined : await verify(deps, token, customerTokenKind(deps));
  if (claims !== undefined && claims['azp'] === partnerId) {
    const session = { id: claims.jti, partnerId, customerId: claims.sub };
    if (await isSessionLive(deps.pool, session, deps.clock.now())) return claims.sub;
  }
  if (claims !== undefined) concerning({ customerId: claims.sub });
  throw new DomainError(
    'INVALID_CUSTOMER_TOKEN',
    'the customer token is missing or not valid: log the customer in again',
  );
}
