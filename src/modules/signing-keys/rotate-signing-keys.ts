import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { forgetKeySet } from './key-cache.ts';
import { ensureKeys, makeKey } from './make-keys.ts';
import { lockKeys, promoteNext } from './store.ts';

/** The keys that sign from now on, by their ids. */
export interface Rotation {
  current: string;
  /** Published already, and current after the next rotation. */
  next: string;
}

/**
 * The next key signs from now on, and a new next one is published. Nobody is logged out: the old key verifies on,
 * and every verifier has known the new one since it was the next. Audited.
 */
export async function rotateSigningKeys(
  deps: { db: Database; transact: Transact; keyring: Keyring; clock: Clock },
  { actor, reason }: { actor: string; reason: string },
): Promise<Rotation> {
  await ensureKeys(deps);
  const rotated = await deps.transact(async (tx) => {
    await lockKeys(tx);
    const { retired, current } = await promoteNext(tx, deps.clock.now());
    const next = await makeKey(tx, deps, 'NEXT');
    const change = { before: { current: retired, next: current }, after: { current, next } };
    await recordChange(tx, { actor, action: 'keys.rotate', target: 'signing-keys', ...change, reason });
    return { current, next };
  });
  forgetKeySet(deps.db);
  return rotated;
}
