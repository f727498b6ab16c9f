import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { ensureKeys, generateKey } from './generate-keys.ts';
import { forgetKeySet } from './key-cache.ts';
import { lockKeys, promoteNext } from './store.ts';

/** The ids of the keys after a rotation. */
export interface Rotation {
  current: string;
  /** Published already, and current after the next rotation. */
  next: string;
}

/**
 * Signs with the next key from now on, and publishes a new next one. Nobody is logged out: the old key still verifies, and
 * every verifier has known the new one since it became the next. Audited.
 */
export async function rotateSigningKeys(
  deps: { db: Database; transact: Transact; keyring: Keyring; clock: Clock },
  { actor, reason }: { actor: string; reason: string },
): Promise<Rotation> {
  await ensureKeys(deps);
  const rotated = await deps.transact(async (tx) => {
    await lockKeys(tx);
    const { retired, current } = await promoteNext(tx, deps.clock.now());
    const next = await generateKey(tx, deps, 'NEXT');
    const change = { before: { current: retired, next: current }, after: { current, next } };
    await recordChange(tx, { actor, action: 'keys.rotate', target: 'signing-keys', ...change, reason });
    return { current, next };
  });
  forgetKeySet(deps.db);
  return rotated;
}
