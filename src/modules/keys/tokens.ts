import { sign as signBytes } from 'node:crypto';
import type { CryptoKey, JWTPayload } from 'jose';
import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { jose } from '#lib/lazy.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { ALGORITHM, CLOCK_TOLERANCE_S, expectKeySet, keySet, LIFETIME_MAX_S } from './signing-keys.ts';

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/** The purpose of a token. A token of one kind is never accepted as another. */
export interface TokenKind {
  typ: string;
  issuer: string;
  audience: string;
  /** The longest time from `iat` to `exp`, in seconds. */
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

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * A JWT signed with the current key (ES256). Signed on the calling thread, which takes a thirtieth of a millisecond: on the threads of
 * libuv it would wait for password hashes.
 */
export async function sign(deps: Deps, kind: TokenKind, claims: TokenClaims): Promise<string> {
  if (claims.exp - claims.iat > Math.min(kind.lifetimeS, LIFETIME_MAX_S))
    throw new Error('the lifetime of the token is too long for its kind');
  const { current } = await keySet(deps);
  const header = { alg: ALGORITHM, typ: kind.typ, kid: current.kid };
  const text = `${encoded(header)}.${encoded({ ...claims, iss: kind.issuer, aud: kind.audience })}`;
  const signature = signBytes('sha256', Buffer.from(text), { key: current.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Starts the reads that `verify` needs for this token, and returns its ids. These are unverified: use them only to prefetch their
 * rows in the same round trip. Undefined where there is no such id.
 */
export function expectToken(deps: Deps, token: string): { sub: string | undefined; jti: string | undefined } {
  expectKeySet(deps);
  try {
    const [, claims = ''] = token.split('.', 2); // by hand, since each call pays for it
    const { sub, jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    return { sub: idIn(sub), jti: idIn(jti) };
  } catch {
    return { sub: undefined, jti: undefined };
  }
}

const idIn = (claim: unknown): string | undefined => (typeof claim === 'string' && ID.test(claim) ? claim : undefined);

/**
 * The claims of a token of this kind that we signed and that has not expired; undefined for any other text. We choose the
 * algorithm, never the token (RFC 8725 3.1). A token that we cannot have issued is refused even with a
 * valid signature: a lifetime longer than its kind's, a time of issue in the future, or one after the key was retired. So a stolen
 * old key signs no valid token, and a retired key verifies none once the longest lifetime of a kind has passed.
 *
 * Valid signatures are cached by the digest of the token, while their key verifies; everything else is checked each time.
 */
export async function verify(deps: Deps, token: string, kind: TokenKind): Promise<TokenClaims | undefined> {
  const now = deps.clock.now();
  const { verifying } = await keySet(deps);
  const digest = sha256(token).toString('base64');
  for (const { key, retiredAt } of verifying.values()) {
    const known = verifiedTokensOf(key).get(digest);
    if (known?.kind.typ === kind.typ && known.kind.issuer === kind.issuer && known.kind.audience === kind.audience) {
      const isOver = known.claims.exp <= Math.floor(now.getTime() / 1000);
      return !isOver && isIssuable(known.claims, kind, retiredAt ?? now, now) ? known.claims : undefined;
    }
  }
  const used = verifying.get(kidOf(token));
  if (used === undefined) return undefined;
  try {
    const { payload } = await jose().jwtVerify<TokenClaims>(token, used.key, {
      algorithms: [ALGORITHM],
      typ: kind.typ,
      issuer: kind.issuer,
      audience: kind.audience,
      currentDate: now,
      requiredClaims: ['sub', 'jti', 'iat', 'exp'],
    });
    if (!isIssuable(payload, kind, used.retiredAt ?? now, now)) return undefined;
    const verified = verifiedTokensOf(used.key);
    verified.set(digest, { claims: payload, kind });
    const [oldest] = verified.keys();
    if (verified.size > REMEMBERED_MAX && oldest !== undefined) verified.delete(oldest);
    return payload;
  } catch (error) {
    if (error instanceof jose().errors.JOSEError) return undefined;
    throw error;
  }
}

/** The key id in the token's header: it only selects one of our keys. */
function kidOf(token: string): string {
  try {
    return jose().decodeProtectedHeader(token).kid ?? '';
  } catch {
    return '';
  }
}

interface VerifiedToken {
  readonly claims: TokenClaims;
  readonly kind: TokenKind;
}

/** For one key; the oldest is dropped. */
const REMEMBERED_MAX = 10_000;
/** By key: the tokens of a key are dropped with it, when it is revoked or expires. */
const verifiedTokens = new WeakMap<CryptoKey, Map<string, VerifiedToken>>();

function verifiedTokensOf(key: CryptoKey): Map<string, VerifiedToken> {
  const verified = verifiedTokens.get(key) ?? new Map<string, VerifiedToken>();
  verifiedTokens.set(key, verified);
  return verified;
}

function isIssuable({ iat, exp }: TokenClaims, { lifetimeS }: TokenKind, retiredAt: Date, now: Date): boolean {
  const signedUntilS = Math.min(now.getTime(), retiredAt.getTime()) / 1000 + CLOCK_TOLERANCE_S;
  return iat <= signedUntilS && exp - iat <= lifetimeS;
}

/** The public keys (RFC 7517): the current one, the next one, and those whose tokens may not have expired yet. */
export async function jwks(deps: Deps) {
  return { keys: (await keySet(deps)).published };
}
