import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { newApiKey } from './credentials.ts';
import { partnerNotFound } from './read-partner.ts';
import { type ApiKey, countActiveKeys, insertApiKey, selectApiKey, selectPartner, setKeyRevoked } from './store.ts';

/** Two let a partner change over without a gap; more would be forgotten. */
const ACTIVE_MAX = 2;

/** Locks a partner, so that its keys are added and revoked one at a time. */
async function lockPartner(tx: Tx, id: string): Promise<void> {
  if ((await selectPartner(tx, id, 'locked')) === undefined) throw partnerNotFound();
}

/**
 * Adds an API key for a partner. Audited, without the key itself.
 *
 * @returns the key, which is never shown again
 * @throws DomainError PARTNER_NOT_FOUND, API_KEY_LIMIT when two are active already
 */
export async function addApiKey(
  { transact, environment }: { transact: Transact; environment: string },
  { actor, partnerId, reason }: { actor: string; partnerId: string; reason?: string | undefined },
): Promise<ApiKey & { apiKey: string }> {
  const apiKey = newApiKey(environment);
  return transact(async (tx) => {
    await lockPartner(tx, partnerId);
    if ((await countActiveKeys(tx, partnerId)) >= ACTIVE_MAX) {
      throw new DomainError('API_KEY_LIMIT', 'two keys are active: revoke one of them first');
    }
    const added = await insertApiKey(tx, partnerId, sha256(apiKey));
    await recordChange(tx, { actor, action: 'partner.key.add', target: partnerId, after: { key: added.id }, reason });
    return { ...added, apiKey };
  });
}

/**
 * Revokes an API key: it is refused at once, by other processes within a second. The last key can be revoked too: a leaked key is worse than none. Audited.
 *
 * @throws DomainError PARTNER_NOT_FOUND, API_KEY_NOT_FOUND for another partner's too, API_KEY_REVOKED
 */
export async function revokeApiKey(
  { transact, clock }: { transact: Transact; clock: Clock },
  { actor, partnerId, keyId, reason }: { actor: string; partnerId: string; keyId: string; reason: string },
): Promise<ApiKey> {
  const revokedAt = clock.now();
  return transact(async (tx) => {
    await lockPartner(tx, partnerId);
    const found = await selectApiKey(tx, partnerId, keyId);
    if (found === undefined) throw new DomainError('API_KEY_NOT_FOUND', 'this partner has no such key');
    if (found.revokedAt !== null) throw new DomainError('API_KEY_REVOKED', 'this key is revoked already');
    await setKeyRevoked(tx, keyId, revokedAt);
    await recordChange(tx, { actor, action: 'partner.key.revoke', target: partnerId, before: { key: keyId }, reason });
    return { ...found, revokedAt };
  });
}
