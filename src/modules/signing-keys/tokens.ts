import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { ALGORITHM } from './generate-keys.ts';
import { keySet } from './key-cache.ts';

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/** What a token is for. A token of one kind is never accepted as another. */
export interface TokenKind {
  typ: string;
  issuer: string;
  audience: string;
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
  const { current } = await keySet(deps);
  return new SignJWT({ ...claims, iss: kind.issuer, aud: kind.audience })
    .setProtectedHeader({ alg: ALGORITHM, typ: kind.typ, kid: current.kid })
    .sign(current.privateKey);
}

/**
 * The claims of a token of this kind that we signed and that has not expired; undefined for any other text. We choose the
 * algorithm, never the token (RFC 8725 3.1).
 */
export async function verify(deps: Deps, token: string, kind: TokenKind): Promise<TokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify<TokenClaims>(token, ({ kid }) => verifyingKey(deps, kid), {
      algorithms: [ALGORITHM],
      typ: kind.typ,
      issuer: kind.issuer,
      audience: kind.audience,
      currentDate: deps.clock.now(),
      requiredClaims: ['sub', 'jti', 'iat', 'exp'],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error; // the keys could not be read
  }
}

async function verifyingKey(deps: Deps, kid: string | undefined) {
  const key = kid === undefined ? undefined : (await keySet(deps, kid)).verifying.get(kid);
  if (key === undefined) throw new errors.JWKSNoMatchingKey();
  return key;
}

/** The public keys (RFC 7517): the current one, the next one, and those whose tokens may not have expired yet. */
export async function jwks(deps: Deps) {
  return { keys: (await keySet(deps)).published };
}
