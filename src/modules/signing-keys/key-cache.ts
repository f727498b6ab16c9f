import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import { ALGORITHM, ensureKeys, PRIVATE_JWK_PURPOSE } from './generate-keys.ts';
import { type SigningKeyRow, selectKeys } from './store.ts';

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/** After so long a process reads the keys again, because they may have been rotated. */
const FRESH_MS = 60_000;
/** A token can name any key, so an unknown one makes a process read the database at most once in so long. */
const UNKNOWN_MS = 1000;
/** A retired key is published for the longest lifetime of a token that it may have signed. */
const RETIRED_PUBLISHED_MS = 24 * 60 * 60 * 1000;

interface KeySet {
  readAt: number;
  current: { kid: string; privateKey: CryptoKey; publicJwk: JWK };
  verifying: ReadonlyMap<string, CryptoKey>;
  published: readonly JWK[];
}

/** One set for each database: a process may serve several, e.g. in tests. */
const sets = new WeakMap<object, Promise<KeySet>>();

/** The keys in the database, as they were at most a minute ago; read again when `kid` is not among them. */
export async function keySet(deps: Deps, kid?: string): Promise<KeySet> {
  const held = await sets.get(deps.db);
  const age = held === undefined ? Number.POSITIVE_INFINITY : deps.clock.now().getTime() - held.readAt;
  const wanted = kid === undefined || held?.verifying.has(kid) === true;
  if (held !== undefined && age < (wanted ? FRESH_MS : UNKNOWN_MS)) return held;
  const reading = readKeySet(deps);
  sets.set(deps.db, reading);
  try {
    return await reading;
  } catch (error) {
    if (sets.get(deps.db) === reading) sets.delete(deps.db); // a failure is not remembered
    throw error;
  }
}

/** After a rotation: this process signs with the new key at once, others within a minute. */
export const forgetKeySet = (db: object): void => void sets.delete(db);

async function readKeySet(deps: Deps): Promise<KeySet> {
  const now = deps.clock.now();
  let rows = await selectKeys(deps.db);
  if (!rows.some((row) => row.status === 'CURRENT')) {
    await ensureKeys(deps);
    rows = await selectKeys(deps.db);
  }
  const current = rows.find((row) => row.status === 'CURRENT');
  if (current === undefined) throw new Error('there is no current signing key');
  const verifying = await Promise.all(rows.map(async (row) => [row.kid, await importKey(row.publicJwk)] as const));
  const isPublished = ({ retiredAt }: SigningKeyRow) =>
    retiredAt === null || now.getTime() - retiredAt.getTime() < RETIRED_PUBLISHED_MS;
  return {
    readAt: now.getTime(),
    current: {
      kid: current.kid,
      privateKey: await importKey(JSON.parse(deps.keyring.open(PRIVATE_JWK_PURPOSE, current.privateJwkSealed))),
      publicJwk: current.publicJwk,
    },
    verifying: new Map(verifying),
    published: rows.filter(isPublished).map((row) => row.publicJwk),
  };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('a signing key is not a symmetric one');
  return key;
}
