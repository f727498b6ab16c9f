import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/database.ts';
import { insertKey, lockKeys, selectKeys } from './store.ts';

/** The only algorithm that we sign with and accept. */
export const ALGORITHM = 'ES256';
/** What the private keys are sealed for. */
export const PRIVATE_JWK_PURPOSE = 'signing_key.private_jwk';

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/** Generates the current and the next key where they are missing. Of several processes at once, one does so. */
export async function ensureKeys(deps: Deps): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockKeys(tx);
    const present = new Set((await selectKeys(tx)).map((key) => key.status));
    if (!present.has('CURRENT')) await generateKey(tx, deps, 'CURRENT');
    if (!present.has('NEXT')) await generateKey(tx, deps, 'NEXT');
  });
}

/** Generates and stores a key pair. @returns its kid */
export async function generateKey(
  tx: Tx,
  { keyring, clock }: Omit<Deps, 'db'>,
  status: 'CURRENT' | 'NEXT',
): Promise<string> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  await insertKey(tx, {
    kid,
    publicJwk: { ...publicJwk, kid, alg: ALGORITHM, use: 'sig' },
    privateJwkSealed: keyring.seal(PRIVATE_JWK_PURPOSE, JSON.stringify(await exportJWK(pair.privateKey))),
    status,
    createdAt: clock.now(),
  });
  return kid;
}
