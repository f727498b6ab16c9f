import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { ALGORITHM } from './generate-keys.ts';
import { keySet, type VerifyingKey } from './key-cache.ts';
import { CLOCK_TOLERANCE_S, LIFETIME_MAX_S } from './verifying-time.ts';

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/** What a token is for. A token of one kind is never accepted as another. */
export interface TokenKind {
  typ: string;
  issuer: string;
  audience: string;
  /** Seconds from `iat` to `exp` at most: how long a token of this kind is issued for. */
  lifetimeS: number;
}

/** Claims of every token we sign. */
export interface TokenClaims extends JWTPayload {
  sub: string;
  jti: string;
  /** Seconds since 1970. */
  iat: number;
  exp: number;
}

/** A JWT signed with the current key (ES256). */
export async function sign(deps: Deps, kind: TokenKind, claims: TokenClaims): Promise<string> {
  if (claims.exp - claims.iat > Math.min(kind.lifetimeS, LIFETIME_MAX_S))
    throw new Error('a token may not live so long');
  const { current } = await keySet(deps);
  return new SignJWT({ ...claims, iss: kind.issuer, aud: kind.audience })
    .setProtectedHeader({ alg: ALGORITHM, typ: kind.typ, kid: current.kid })
    .sign(current.privateKey);
}

/**
 * The claims of a token of this kind that we signed and that has not expired; undefined for any other text. We choose the
 * algorithm, never the token (RFC 8725 3.1). What we cannot have issued is refused however well it is signed: a life longer
 * than this kind's, a time of issue in the future, or one after the key was retired. So whoever gets hold of an old key signs
 * nothing that is good, and a retired key verifies nothing more once the longest life of a kind has passed.
 */
export async function verify(deps: Deps, token: string, kind: TokenKind): Promise<TokenClaims | undefined> {
  let used: VerifyingKey | undefined;
  const now = deps.clock.now();
  try {
    const keyOf = async ({ kid = '' }: JWTHeaderParameters) => {
      used = (await keySet(deps)).verifying.get(kid);
      if (used === undefined) throw new errors.JWKSNoMatchingKey();
      return used.key;
    };
    const { payload } = await jwtVerify<TokenClaims>(token, keyOf, {
      algorithms: [ALGORITHM],
      typ: kind.typ,
      issuer: kind.issuer,
      audience: kind.audience,
      currentDate: now,
      requiredClaims: ['sub', 'jti', 'iat', 'exp'],
    });
    return isIssuable(payload, kind, used?.retiredAt ?? now, now) ? payload : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error; // the keys could not be read
  }
}

function isIssuable({ iat, exp }: TokenClaims, { lifetimeS }: TokenKind, retiredAt: Date, now: Date): boolean {
  const signedUntilS = Math.min(now.getTime(), retiredAt.getTime()) / 1000 + CLOCK_TOLERANCE_S;
  return iat <= signedUntilS && exp - iat <= lifetimeS;
}

/** The public keys (RFC 7517): the current one, the next one, and those whose tokens may not have expired yet. */
export async function jwks(deps: Deps) {
  return { keys: (await keySet(deps)).published };
}
