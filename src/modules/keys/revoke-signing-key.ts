import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { generateKey, withoutPrivateHalf } from './generate-keys.ts';
import { forgetKeySet } from './key-cache.ts';
import { type SigningKey, toSigningKey } from './list-signing-keys.ts';
import { endKey, lockKeys, promoteNext, selectKeys } from './signing-key-store.ts';

/**
 * Ends a key that somebody else may have: every token that it signed is refused, by this process at once and by every other
 * within a second, and it is published no more. In place of the current key the next one signs; a new next one is made.
 * Seals of the books that it signed before stay good where a later seal vouches for them. Audited.
 *
 * @throws DomainError SIGNING_KEY_NOT_FOUND, SIGNING_KEY_REVOKED
 */
export async function revokeSigningKey(
  deps: { db: Database; transact: Transact; keyring: Keyring; clock: Clock; securityLog: SecurityLog },
  { actor, kid, reason }: { actor: string; kid: string; reason: string },
): Promise<SigningKey> {
  const revoked = await deps.transact(async (tx) => {
    await lockKeys(tx);
    const found = (await selectKeys(tx)).find((key) => key.kid === kid);
    if (found === undefined) throw new DomainError('SIGNING_KEY_NOT_FOUND', 'there is no signing key with this kid');
    const { status } = found;
    if (status === 'REVOKED') throw new DomainError('SIGNING_KEY_REVOKED', 'this signing key is revoked already');
    const revokedAt = deps.clock.now();
    const ended = { status: 'REVOKED' as const, retiredAt: found.retiredAt ?? revokedAt, revokedAt };
    await endKey(tx, kid, { ...ended, privateJwkSealed: withoutPrivateHalf(deps.keyring, found) });
    if (status === 'CURRENT') await promoteNext(tx);
    if (status !== 'RETIRED') await generateKey(tx, deps, 'NEXT');
    const change = { before: { kid, status }, after: { kid, status: ended.status } };
    await recordChange(tx, { actor, action: 'keys.revoke', target: kid, ...change, reason });
    return toSigningKey({ ...found, ...ended }, revokedAt);
  });
  forgetKeySet(deps.db);
  deps.securityLog.record('signing_key_revoked', { keyId: kid });
  return revoked;
}
