import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { BoundedCache, Caches } from '#lib/postgres/caches.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { concerning } from '#lib/security-events.ts';
import { expectToken, sign, type TokenKind, verify } from '#modules/keys';
import { type KnownSession, type NewSession, revokeLiveSession, SESSIONS, selectSessions } from './store.ts';

/** Sessions, by their ids. */
export type KnownSessions = BoundedCache<KnownSession>;

/** Keeps in memory which sessions live. */
export const cacheSessions = (caches: Caches, db: Database): KnownSessions =>
  caches.open(SESSIONS, async (ids) => new Map((await selectSessions(db, [ids])).map((row) => [row.id, row])));

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
 * @returns a JWT: ES256, `typ` at+jwt, iss, aud, sub (customer), azp and client_id (the partner's internal id), iat, exp, jti (session)
 */
export function signCustomerToken(
  deps: { db: Database; keyring: Keyring; clock: Clock } & CustomerTokens,
  session: NewSession,
): Promise<string> {
  return sign(deps, customerTokenKind(deps), {
    sub: session.customerId,
    azp: session.partnerId,
    client_id: session.partnerId, // RFC 9068, 2.2: the same as azp, and not what a partner is sent as its client id
    jti: session.id,
    iat: epochSeconds(session.issuedAt),
    exp: epochSeconds(session.expiresAt),
  });
}

/** A customer's login at one partner, as their token says it. */
export interface CustomerSession {
  id: string;
  customerId: string;
  expiresAt: Date;
}

type Deps = { db: Database; keyring: Keyring; clock: Clock } & CustomerTokens;
/** A token, and the partner that sends it. */
interface SentToken {
  partnerId: string;
  token: string | undefined;
}

/**
 * The session whose token this is. A token is good at the partner it was issued to, while its session lives, as it was less
 * than a second ago: one that this process ends is refused immediately.
 *
 * @throws DomainError INVALID_CUSTOMER_TOKEN, the same for a missing, forged, expired, revoked or another partner's token
 */
export async function authenticateCustomer(
  deps: Deps & { knownSessions: KnownSessions },
  sent: SentToken,
): Promise<CustomerSession> {
  const session = await sessionOf(deps, sent);
  const isLive = ({ partnerId, customerId, expiresAt, revokedAt }: KnownSession) =>
    partnerId === sent.partnerId &&
    customerId === session.customerId &&
    revokedAt === null &&
    expiresAt > deps.clock.now();
  const known = await deps.knownSessions.get(session.id, isLive);
  if (known === undefined || !isLive(known)) throw invalidCustomerToken();
  return session;
}

/**
 * Starts the read that `authenticateCustomer` needs, together with that of the partner's credentials: one round trip for both.
 * It accepts and refuses nothing.
 */
export function expectCustomer(deps: Deps & { knownSessions: KnownSessions }, token: string | undefined): void {
  if (token === undefined) return;
  const { jti } = expectToken(deps, token);
  if (jti !== undefined) deps.knownSessions.expect(jti);
}

/**
 * Logs a customer out: the session of this token ends, and no call is taken with it from now on.
 *
 * @returns false when it had ended before
 * @throws DomainError INVALID_CUSTOMER_TOKEN, the same for a missing, forged, expired or another partner's token
 */
export async function logOut(deps: Deps & { transact: Transact }, sent: SentToken): Promise<boolean> {
  const session = await sessionOf(deps, sent);
  const { partnerId } = sent;
  return deps.transact((tx) => revokeLiveSession(tx, { ...session, partnerId }, deps.clock.now()));
}

/** What a token says that we signed for this partner. Its session may have ended. @throws DomainError INVALID_CUSTOMER_TOKEN */
async function sessionOf(deps: Deps, { partnerId, token }: SentToken): Promise<CustomerSession> {
  const claims = token === undefined ? undefined : await verify(deps, token, customerTokenKind(deps));
  if (claims === undefined) throw invalidCustomerToken();
  concerning({ customerId: claims.sub });
  if (claims['azp'] !== partnerId) throw invalidCustomerToken();
  return { id: claims.jti, customerId: claims.sub, expiresAt: new Date(claims.exp * 1000) };
}

const invalidCustomerToken = () =>
  new DomainError('INVALID_CUSTOMER_TOKEN', 'the customer token is missing or not valid: log the customer in again');
