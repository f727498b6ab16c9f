import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { CryptoKey, JWK } from 'jose';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { ALGORITHM, ensureKeys, importKey, openPublicHalf, PRIVATE_JWK_PURPOSE } from './generate-keys.ts';
import { type SigningKeyRow, selectKeys } from './store.ts';
import { verifiesUntilMs } from './verifying-time.ts';

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/** So old may the keys of a process be at most: what an operator revokes verifies nothing anywhere after it. */
const FRESH_MS = 1000;
/** From this age on they are read again beside the work, so that under load no request waits for them. */
const REFRESH_MS = 500;

export interface VerifyingKey {
  readonly jwk: JWK;
  readonly key: CryptoKey;
  /** When it stopped signing; null while it signs, or has not begun to. */
  readonly retiredAt: Date | null;
}

interface KeySet {
  readAt: number;
  current: { kid: string; privateKey: KeyObject; publicJwk: JWK };
  verifying: ReadonlyMap<string, VerifyingKey>;
  published: readonly JWK[];
}

/** One for each database: a process may serve several, e.g. in tests. */
interface Cache {
  held?: KeySet | undefined;
  reading?: Promise<KeySet> | undefined;
}
const caches = new WeakMap<object, Cache>();

/** The keys in the database, as they were at most a second ago. */
export async function keySet(deps: Deps): Promise<KeySet> {
  const cache = caches.get(deps.db) ?? {};
  caches.set(deps.db, cache);
  const age = cache.held === undefined ? FRESH_MS : deps.clock.now().getTime() - cache.held.readAt;
  if (cache.held !== undefined && age < REFRESH_MS) return cache.held;
  const reading = (cache.reading ??= read(deps, cache));
  if (cache.held === undefined || age >= FRESH_MS) return reading;
  reading.catch(() => undefined); // whoever comes once these keys are too old reads them again, and is told
  return cache.held;
}

async function read(deps: Deps, cache: Cache): Promise<KeySet> {
  try {
    return (cache.held = await readKeySet(deps, cache.held));
  } finally {
    cache.reading = undefined;
  }
}

/** After a rotation or a revocation: this process uses the new keys at once, others within a second. */
export const forgetKeySet = (db: object): void => void caches.delete(db);

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
    readAt: now,
    current: before?.current.kid === current.kid ? before.current : openCurrent(deps.keyring, current),
    verifying,
    published,
  };
}

function openCurrent(keyring: Keyring, { kid, publicJwk, privateJwkSealed }: SigningKeyRow) {
  const jwk = JSON.parse(keyring.open(PRIVATE_JWK_PURPOSE, privateJwkSealed));
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  return { kid, privateKey, publicJwk };
}
