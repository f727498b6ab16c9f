import type { Clock } from '#lib/clock.ts';
import { sha256 } from '#lib/crypto/digest.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { timeOrderedId } from '#lib/random.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import { recordChange } from '#modules/audit';
import { firstKeyIsOver, newApiKey } from './credentials.ts';
import { addresseeOf } from './partner-contact.ts';
import {
  type ApiKey,
  countActiveKeys,
  insertApiKey,
  type PartnerRow,
  selectApiKey,
  selectPartner,
  setKeyRevoked,
} from './partner-store.ts';
import { partnerNotFound } from './read-partner.ts';
import { type Handover, handoverOf, writeLetter } from './write-letter.ts';

/** Two let a partner change over without a gap; more would be forgotten. */
const ACTIVE_MAX = 2;

/** Locks a partner, so that its keys are added and revoked one at a time. */
async function lockPartner(tx: Tx, id: string): Promise<PartnerRow> {
  const found = await selectPartner(tx, id, 'locked');
  if (found === undefined) throw partnerNotFound();
  return found;
}

/** An operator’s wish for new credentials of somebody else. */
interface NewCredentials {
  actor: string;
  reason?: string | undefined;
  /** Whether their owner alone is shown them, by a link to their proven contact. */
  toOwner?: boolean | undefined;
  /** The request for approval that it comes of: done twice, it is done once. */
  cause?: string | undefined;
}

/**
 * Adds an API key for a partner, whose contact is told. Audited, without the key itself.
 *
 * @returns the key, which is never shown again; with `toOwner` where it went
 * @throws DomainError PARTNER_NOT_FOUND, CONTACT_NOT_PROVEN, API_KEY_LIMIT when two are active already
 */
export async function addApiKey(
  deps: { transact: Transact; environment: string; keyring: Keyring; clock: Clock; securityLog: SecurityLog },
  { actor, partnerId, reason, toOwner = false, cause }: NewCredentials & { partnerId: string },
): Promise<ApiKey & { apiKey: string | undefined; handover: Handover | undefined }> {
  const apiKey = newApiKey(deps.environment);
  const made = await deps.transact(async (tx) => {
    const partner = await lockPartner(tx, partnerId);
    const before = await handoverOf(tx, cause);
    const known = before && (await selectApiKey(tx, partnerId, before.facts.keyId ?? ''));
    if (known !== undefined) return { ...known, apiKey: undefined, handover: before?.handover };
    if ((await countActiveKeys(tx, partnerId, firstKeyIsOver(deps))) >= ACTIVE_MAX) {
      throw new DomainError('API_KEY_LIMIT', 'two keys are active: revoke one of them first');
    }
    const createdAt = deps.clock.now();
    const id = timeOrderedId(createdAt);
    const added = await insertApiKey(tx, deps.keyring, { id, partnerId, digest: sha256(apiKey), createdAt });
    await recordChange(tx, { actor, action: 'partner.key.add', target: partnerId, after: { key: added.id }, reason });
    const letter = { kind: 'API_KEY', keyId: added.id, ...(toOwner && { secret: apiKey, cause }) } as const;
    const handover = await writeLetter(tx, deps, addresseeOf(deps.keyring, partner), letter);
    return { ...added, apiKey: toOwner ? undefined : apiKey, handover };
  });
  deps.securityLog.record('api_key_added', { partnerId, keyId: made.id });
  return made;
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
