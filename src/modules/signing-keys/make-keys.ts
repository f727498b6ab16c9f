import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database, Tx } from '#lib/database.ts';
import { ALGORITHM, PRIVATE_JWK_PURPOSE } from './algorithm.ts';
import { insertKey, lockKeys, selectKeys } from './store.ts';

type Deps = { db: Database; keyring: Keyring; clock: Clock };

/** Makes the current and the next key where there is none. Of many processes at once, one makes them. */
export async function ensureKeys(deps: Deps): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockKeys(tx);
    const there = new Set((await selectKeys(tx)).map((key) => key.status));
    if (!there.has('CURRENT')) await makeKey(tx, deps, 'CURRENT');
    if (!there.has('NEXT')) await makeKey(tx, deps, 'NEXT');
  });
}

/** @returns its kid */
export async function makeKey(
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
