import type { CryptoKey, JWK } from 'jose';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';
import { jose } from '#lib/lazy.ts';
import type { Database, Tx } from '#lib/postgres/executor.ts';
import { insertKey, lockKeys, type SigningKeyRow, selectKeys } from './signing-key-store.ts';

/** The only algorithm that we sign with and accept. */
export const ALGORITHM = 'ES256';
/** Where the private keys are. */
export const PRIVATE_JWK = {
  table: 'signing_keys.signing_key',
  column: 'private_jwk_sealed',
  row: ['kid'],
} as const satisfies SealedColumn;

/** What a rekey seals anew. */
export const sealedColumns: readonly SealedColumn[] = [PRIVATE_JWK];

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/** Generates the current and the next key where they are missing. Of several processes at once, one does so. */
export async function ensureKeys(deps: Deps): Promise<SigningKeyRow[]> {
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
export async function generateKey(
  tx: Tx,
  { keyring, clock }: Omit<Deps, 'db'>,
  status: 'CURRENT' | 'NEXT',
): Promise<string> {
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
 * The public half of a key, as what is sealed of it says. Undefined when that does not open: somebody without the root key
 * has put it into the database, and it is none of ours.
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

/** What is kept of a pair that signs no more: its public half, sealed, which says that the key was ours. */
export function withoutPrivateHalf(keyring: Keyring, row: SigningKeyRow): Buffer {
  const publicHalf = openPublicHalf(keyring, row);
  return publicHalf === undefined
    ? row.privateJwkSealed
    : keyring.seal(PRIVATE_JWK, [row.kid], JSON.stringify(publicHalf));
}

/** A half of an ES256 pair, ready to use. */
export async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await jose().importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('a signing key is not a symmetric one');
  return key;
}
