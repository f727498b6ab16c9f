import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { CryptoKey, JWK } from 'jose';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { DomainError } from '#lib/domain-error.ts';
import { jose } from '#lib/lazy.ts';
import { type BoundedCache, createBoundedCache } from '#lib/postgres/caches.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { endKey, insertKey, lockKeys, promoteNext, type SigningKeyRow, selectKeys } from './signing-key-store.ts';

/** How long a verifier may cache the keys. */
export const KEYS_CACHED_S = 300;

/** The ids of the keys after a rotation. */
export interface Rotation {
  current: string;
  /** Already published, and current after the next rotation. */
  next: string;
}

/**
 * Signs with the next key from now on, and publishes a new next one. No customer is logged out: the old key still verifies its
 * tokens, and verifiers have had the new one since it became the next. The private half of the old one is destroyed. Audited.
 *
 * @param given.immediately also if verifiers may have cached keys without the next one: they refuse its tokens until they fetch the keys
 *   again
 * @throws DomainError SIGNING_KEY_TOO_NEW
 */
export async function rotateSigningKeys(
  deps: { db: Database; transact: Transact; keyring: Keyring; clock: Clock },
  { actor, reason, immediately = false }: { actor: string; reason: string; immediately?: boolean | undefined },
): Promise<Rotation> {
  await ensureKeys(deps);
  const rotated = await deps.transact(async (tx) => {
    await lockKeys(tx);
    const keys = await selectKeys(tx);
    const retired = keys.find(({ status }) => status === 'CURRENT');
    if (retired === undefined) throw new Error('there is no current signing key');
    const retiredAt = deps.clock.now();
    if (!immediately) assertPublished(keys, retiredAt);
    const privateJwkSealed = withoutPrivateHalf(deps.keyring, retired);
    await endKey(tx, retired.kid, { status: 'RETIRED', retiredAt, privateJwkSealed });
    const current = await promoteNext(tx);
    const next = await generateKey(tx, deps, 'NEXT');
    const change = { before: { current: retired.kid, next: current }, after: { current, next } };
    await recordChange(tx, { actor, action: 'keys.rotate', target: 'signing-keys', ...change, reason });
    return { current, next };
  });
  forgetKeySet(deps.db);
  return rotated;
}

/** The first pair is exempt: its two keys were published together. */
function assertPublished(keys: readonly SigningKeyRow[], now: Date): void {
  if (keys.length === 2) return;
  const next = keys.find(({ status }) => status === 'NEXT');
  const leftMs = (next?.createdAt.getTime() ?? 0) + KEYS_CACHED_S * 1000 - now.getTime();
  if (leftMs <= 0) return;
  throw new DomainError(
    'SIGNING_KEY_TOO_NEW',
    `the next key was published less than ${KEYS_CACHED_S} s ago, and verifiers may not have it yet: wait, or send immediately true`,
    { retryAfterS: Math.ceil(leftMs / 1000) },
  );
}

/**
 * Revokes a leaked key: this process refuses all its tokens at once, every other within a second, and it is no longer published. If it
 * was the current key, the next one signs, and a new next one is created. Earlier seals of the books by this key stay valid if a later
 * seal vouches for them. Audited.
 *
 * @throws DomainError SIGNING_KEY_NOT_FOUND, SIGNING_KEY_REVOKED
 */
export async function revokeSigningKey(
  deps: { db: Database; transact: Transact; keyring: Keyring; clock: Clock; securityLog: SecurityLog },
  { actor, kid, reason }: { actor: string; kid: string; reason: string },
): Promise<SigningKey> {
  const revoked = await deps.transact(async (tx) => {
    await lockKeys(tx);
    const found = (await selectKeys(tx)).find((key) => key.kid === kid);
    if (found === undefined) throw new DomainError('SIGNING_KEY_NOT_FOUND', 'there is no signing key with this kid');
    const { status } = found;
    if (status === 'REVOKED') throw new DomainError('SIGNING_KEY_REVOKED', 'this signing key is already revoked');
    const revokedAt = deps.clock.now();
    const ended = { status: 'REVOKED' as const, retiredAt: found.retiredAt ?? revokedAt, revokedAt };
    await endKey(tx, kid, { ...ended, privateJwkSealed: withoutPrivateHalf(deps.keyring, found) });
    if (status === 'CURRENT') await promoteNext(tx);
    if (status !== 'RETIRED') await generateKey(tx, deps, 'NEXT');
    const change = { before: { kid, status }, after: { kid, status: ended.status } };
    await recordChange(tx, { actor, action: 'keys.revoke', target: kid, ...change, reason });
    return toSigningKey({ ...found, ...ended }, revokedAt);
  });
  forgetKeySet(deps.db);
  deps.securityLog.record('signing_key_revoked', { keyId: kid });
  return revoked;
}

/** A signing key without its key material. */
export interface SigningKey {
  kid: string;
  status: SigningKeyRow['status'];
  /** Whether a token that it signed may still be valid; then it is published too. */
  verifies: boolean;
  /** For a retired key: when its last possible token expires. */
  verifiesUntil: Date | undefined;
  createdAt: Date;
  retiredAt: Date | undefined;
  revokedAt: Date | undefined;
}

/** Every key ever created, newest first. */
export async function listSigningKeys(deps: { db: Database; keyring: Keyring; clock: Clock }): Promise<SigningKey[]> {
  const now = deps.clock.now();
  return (await ensureKeys(deps)).toReversed().map((row) => toSigningKey(row, now));
}

function toSigningKey(row: Omit<SigningKeyRow, 'privateJwkSealed' | 'publicJwk'>, now: Date): SigningKey {
  const { kid, status, createdAt, retiredAt, revokedAt } = row;
  return {
    kid,
    status,
    verifies: status !== 'REVOKED' && now.getTime() < verifiesUntilMs(row),
    verifiesUntil: status === 'RETIRED' ? new Date(verifiesUntilMs(row)) : undefined,
    createdAt,
    retiredAt: retiredAt ?? undefined,
    revokedAt: revokedAt ?? undefined,
  };
}

/** The only algorithm that we sign with and accept. */
export const ALGORITHM = 'ES256';

/** The column of the private keys. */
const PRIVATE_JWK = {
  table: 'signing_keys.signing_key',
  column: 'private_jwk_sealed',
  row: ['kid'],
} as const satisfies SealedColumn;

/** The sealed columns that a rekey rewrites. */
export const sealedColumns: readonly SealedColumn[] = [PRIVATE_JWK];

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/** Generates the current and the next key if missing. One process at a time does so. */
async function ensureKeys(deps: Deps): Promise<SigningKeyRow[]> {
  const there = await selectKeys(deps.db);
  if (isComplete(there)) return there;
  await deps.db.transaction(async (tx) => {
    await lockKeys(tx);
    const present = new Set((await selectKeys(tx)).map((key) => key.status));
    if (!present.has('CURRENT')) await generateKey(tx, deps, 'CURRENT');
    if (!present.has('NEXT')) await generateKey(tx, deps, 'NEXT');
  });
  return selectKeys(deps.db);
}

const isComplete = (keys: readonly SigningKeyRow[]): boolean =>
  ['CURRENT', 'NEXT'].every((status) => keys.some((key) => key.status === status));

/** Generates and stores a key pair. @returns its kid */
async function generateKey(tx: Tx, { keyring, clock }: Omit<Deps, 'db'>, status: 'CURRENT' | 'NEXT'): Promise<string> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = jose();
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  await insertKey(tx, {
    kid,
    publicJwk: { ...publicJwk, kid, alg: ALGORITHM, use: 'sig' },
    privateJwkSealed: keyring.seal(PRIVATE_JWK, [kid], JSON.stringify(await exportJWK(pair.privateKey))),
    status,
    createdAt: clock.now(),
  });
  return kid;
}

/**
 * The public half of a key, from its sealed column. Undefined when that does not open: the row was inserted without the root key, and
 * the key is not ours.
 */
export function openPublicHalf(keyring: Keyring, { kid, privateJwkSealed }: SigningKeyRow): JWK | undefined {
  let opened: string;
  try {
    opened = keyring.open(PRIVATE_JWK, [kid], privateJwkSealed);
  } catch {
    return undefined;
  }
  const { kty, crv, x, y } = JSON.parse(opened);
  return { kty, crv, x, y };
}

/** The kept part of a pair that no longer signs: its public half, sealed, which proves that the key was ours. */
function withoutPrivateHalf(keyring: Keyring, row: SigningKeyRow): Buffer {
  const publicHalf = openPublicHalf(keyring, row);
  return publicHalf === undefined
    ? row.privateJwkSealed
    : keyring.seal(PRIVATE_JWK, [row.kid], JSON.stringify(publicHalf));
}

/** A half of an ES256 pair, ready to use. */
export async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await jose().importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('a signing key must not be symmetric');
  return key;
}

export interface VerifyingKey {
  readonly jwk: JWK;
  readonly key: CryptoKey;
  /** When it stopped signing; null before. */
  readonly retiredAt: Date | null;
}

interface KeySet {
  current: { kid: string; privateKey: KeyObject; publicJwk: JWK };
  verifying: ReadonlyMap<string, VerifyingKey>;
  published: readonly JWK[];
}

/** The cache has one entry: the whole set. */
const ALL = '';

/** By database: a process may serve several, e.g. in tests. */
const caches = new WeakMap<object, BoundedCache<KeySet>>();

/** The keys in the database, at most a second old: a revoked key verifies nothing in any process after that. */
export async function keySet(deps: Deps): Promise<KeySet> {
  const found = await cacheOf(deps).get(ALL, () => true);
  if (found === undefined) throw new Error('there are no signing keys');
  return found;
}

/** Prefetches the keys if they are not cached. */
export const expectKeySet = (deps: Deps): void => cacheOf(deps).expect(ALL);

function cacheOf(deps: Deps): BoundedCache<KeySet> {
  const { db, keyring, clock } = deps;
  const known = caches.get(db);
  if (known !== undefined) return known;
  let last: KeySet | undefined; // its keys are already imported
  const cache = createBoundedCache(async () => {
    last = await readKeySet({ db, keyring, clock }, last);
    return new Map([[ALL, last]]);
  }, clock);
  caches.set(db, cache);
  return cache;
}

/** After a rotation or a revocation: this process uses the new keys at once, others within a second. */
const forgetKeySet = (db: object): void => caches.get(db)?.forget();

async function readKeySet(deps: Deps, before: KeySet | undefined): Promise<KeySet> {
  const now = deps.clock.now().getTime();
  let rows = await selectKeys(deps.db);
  if (!rows.some((row) => row.status === 'CURRENT')) {
    await ensureKeys(deps);
    rows = await selectKeys(deps.db);
  }
  const current = rows.find((row) => row.status === 'CURRENT');
  if (current === undefined) throw new Error('there is no current signing key');
  const verifying = new Map<string, VerifyingKey>();
  const published: JWK[] = [];
  for (const row of rows) {
    if (row.status === 'REVOKED' || now >= verifiesUntilMs(row)) continue;
    const { kid, retiredAt } = row;
    const known = before?.verifying.get(kid);
    const jwk = known?.jwk ?? openPublicHalf(deps.keyring, row);
    if (jwk === undefined) continue;
    verifying.set(kid, { jwk, key: known?.key ?? (await importKey(jwk)), retiredAt });
    published.push({ ...jwk, kid, alg: ALGORITHM, use: 'sig' });
  }
  return {
    current: before?.current.kid === current.kid ? before.current : openCurrent(deps.keyring, current),
    verifying,
    published,
  };
}

function openCurrent(keyring: Keyring, { kid, publicJwk, privateJwkSealed }: SigningKeyRow) {
  const jwk = JSON.parse(keyring.open(PRIVATE_JWK, [kid], privateJwkSealed));
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  return { kid, privateKey, publicJwk };
}

/** The longest lifetime of a token that the configuration allows. */
export const LIFETIME_MAX_S = 24 * 60 * 60;

/**
 * How far the clocks of two servers may be apart. It is also longer than a process can keep signing with a key that another process
 * has retired, since its cached keys are younger.
 */
export const CLOCK_TOLERANCE_S = 5;

/** When the last possible token of a key expires: milliseconds since 1970. Infinite while it signs. */
const verifiesUntilMs = ({ retiredAt }: { retiredAt: Date | null }): number =>
  retiredAt === null ? Number.POSITIVE_INFINITY : retiredAt.getTime() + (LIFETIME_MAX_S + CLOCK_TOLERANCE_S) * 1000;
