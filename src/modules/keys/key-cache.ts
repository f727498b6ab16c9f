import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { CryptoKey, JWK } from 'jose';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { type BoundedCache, createBoundedCache } from '#lib/postgres/caches.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { ALGORITHM, ensureKeys, importKey, openPublicHalf, PRIVATE_JWK } from './generate-keys.ts';
import { type SigningKeyRow, selectKeys } from './signing-key-store.ts';
import { verifiesUntilMs } from './verifying-time.ts';

type Deps = { db: Database; keyring: Keyring; clock: Clock };

export interface VerifyingKey {
  readonly jwk: JWK;
  readonly key: CryptoKey;
  /** When it stopped signing; null while it signs, or has not begun to. */
  readonly retiredAt: Date | null;
}

interface KeySet {
  current: { kid: string; privateKey: KeyObject; publicJwk: JWK };
  verifying: ReadonlyMap<string, VerifyingKey>;
  published: readonly JWK[];
}

/** They are read as a whole. */
const ALL = '';
/** One for each database: a process may serve several, e.g. in tests. */
const caches = new WeakMap<object, BoundedCache<KeySet>>();

/** The keys in the database, as they were less than a second ago: what an operator revokes verifies nothing anywhere after it. */
export async function keySet(deps: Deps): Promise<KeySet> {
  const found = await cacheOf(deps).get(ALL, () => true);
  if (found === undefined) throw new Error('there are no signing keys');
  return found;
}

/** Begins to read them where they are not held: they are about to be asked for. */
export const expectKeySet = (deps: Deps): void => cacheOf(deps).expect(ALL);

function cacheOf(deps: Deps): BoundedCache<KeySet> {
  const { db, keyring, clock } = deps;
  const known = caches.get(db);
  if (known !== undefined) return known;
  let last: KeySet | undefined; // whose keys are imported already
  const cache = createBoundedCache(async () => {
    last = await readKeySet({ db, keyring, clock }, last);
    return new Map([[ALL, last]]);
  }, clock);
  caches.set(db, cache);
  return cache;
}

/** After a rotation or a revocation: this process uses the new keys at once, others within a second. */
export const forgetKeySet = (db: object): void => caches.get(db)?.forget();

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
