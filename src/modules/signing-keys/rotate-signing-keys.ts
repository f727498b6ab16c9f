import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { ensureKeys, generateKey, withoutPrivateHalf } from './generate-keys.ts';
import { forgetKeySet } from './key-cache.ts';
import { endKey, lockKeys, promoteNext, selectKeys } from './store.ts';

/** The ids of the keys after a rotation. */
export interface Rotation {
  current: string;
  /** Published already, and current after the next rotation. */
  next: string;
}

/**
 * Signs with the next key from now on, and publishes a new next one. Nobody is logged out: the old key still verifies what it
 * signed, and every verifier has known the new one since it became the next. The private half of the old one is destroyed.
 * Audited.
 */
export async function rotateSigningKeys(
  deps: { db: Database; transact: Transact; keyring: Keyring; clock: Clock },
  { actor, reason }: { actor: string; reason: string },
): Promise<Rotation> {
  await ensureKeys(deps);
  const rotated = await deps.transact(async (tx) => {
    await lockKeys(tx);
    const retired = (await selectKeys(tx)).find(({ status }) => status === 'CURRENT');
    if (retired === undefined) throw new Error('there is no current signing key');
    const retiredAt = deps.clock.now();
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
