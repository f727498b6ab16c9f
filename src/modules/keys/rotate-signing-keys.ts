import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { ensureKeys, generateKey, withoutPrivateHalf } from './generate-keys.ts';
import { forgetKeySet } from './key-cache.ts';
import { endKey, lockKeys, promoteNext, type SigningKeyRow, selectKeys } from './signing-key-store.ts';

/** For how long a verifier may go by the keys that it has fetched. */
export const KEYS_CACHED_S = 300;

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
 *
 * @param given.immediately also when verifiers may go by keys that they fetched before the next one was published: what it signs
 *   they refuse until they fetch them again
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

/** Of the first pair nobody can know one alone: they were published together. */
function assertPublished(keys: readonly SigningKeyRow[], now: Date): void {
  if (keys.length === 2) return;
  const next = keys.find(({ status }) => status === 'NEXT');
  const leftMs = (next?.createdAt.getTime() ?? 0) + KEYS_CACHED_S * 1000 - now.getTime();
  if (leftMs <= 0) return;
  throw new DomainError(
    'SIGNING_KEY_TOO_NEW',
    `the next key is published for less than ${KEYS_CACHED_S} s, and verifiers may not know it yet: wait, or say immediately`,
    { retryAfterS: Math.ceil(leftMs / 1000) },
  );
}
