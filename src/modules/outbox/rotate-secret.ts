import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Tx } from '#lib/postgres/executor.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { lockAuthentic, type Receiver, receiverNotFound, withoutKeys } from './receiver.ts';
import { newWebhookSecret, sealAsPrevious, sealSecret } from './receiver-keys.ts';
import { type ReceiverRow, updateReceiver } from './store.ts';

const HOUR_MS = 60 * 60 * 1000;

export interface SecretRotation {
  actor: string;
  owner: { ownerId: string; ownerKind: ReceiverRow['ownerKind'] };
  /** Undefined: the default endpoint. */
  endpointId?: string | undefined;
  /** The current secret stops signing at once: it has leaked. */
  immediately: boolean;
  reason?: string | undefined;
  /** Called in the same transaction, to notify the owner’s contact. */
  notify?: (tx: Tx, rotated: RotatedSecret) => Promise<void>;
}

/** A receiver with its new secret, which is shown only once. */
export type RotatedSecret = Receiver & { secret: string };

/**
 * Gives a receiver a new webhook secret. For `secretOverlapH` hours every delivery carries the signatures of both,
 * so that its server can switch at any time (Standard Webhooks, key rotation). Audited.
 *
 * @throws DomainError RECEIVER_NOT_FOUND, ENDPOINT_NOT_FOUND; SECRET_OVERLAP_RUNNING when two secrets sign already, unless `immediately`
 */
export async function rotateSecret(
  {
    transact,
    keyring,
    clock,
    webhooks,
  }: { transact: Transact; keyring: Keyring; clock: Clock; webhooks: { secretOverlapH: number } },
  { actor, owner, endpointId, immediately, reason, notify }: SecretRotation,
): Promise<RotatedSecret> {
  const now = clock.now();
  const overlapMs = webhooks.secretOverlapH * HOUR_MS;
  const previousUntil = immediately || overlapMs === 0 ? null : new Date(now.getTime() + overlapMs);
  return transact(async (tx) => {
    const rotated = await replaceSecret(tx, keyring, { owner, endpointId, now, previousUntil });
    const after = { endpoint: endpointId, previousUntil: previousUntil?.toISOString() ?? null };
    await recordChange(tx, { actor, action: 'webhook.secret.rotate', target: owner.ownerId, after, reason });
    await notify?.(tx, rotated);
    return rotated;
  });
}

/**
 * The previous secret signs together with the new one until `previousUntil`; with null it stops at once. While an earlier one
 * still signs, only null is possible: a second rotation would drop the secret that the owner's server uses.
 */
async function replaceSecret(
  tx: Tx,
  keyring: Keyring,
  {
    owner,
    endpointId,
    now,
    previousUntil,
  }: Pick<SecretRotation, 'owner' | 'endpointId'> & { now: Date; previousUntil: Date | null },
): Promise<RotatedSecret> {
  const found = await lockAuthentic(tx, keyring, { ownerId: owner.ownerId, endpointId });
  if (found.ownerKind !== owner.ownerKind) throw receiverNotFound();
  if (previousUntil !== null && found.previousSecretUntil !== null && found.previousSecretUntil > now) {
    throw new DomainError(
      'SECRET_OVERLAP_RUNNING',
      `the previous secret signs until ${found.previousSecretUntil.toISOString()}: rotate after that, or send immediately true`,
    );
  }
  const secret = newWebhookSecret();
  const updated = await updateReceiver(tx, found.id, {
    secretSealed: sealSecret(keyring, found.id, secret),
    secretRotatedAt: now,
    previousSecretSealed: previousUntil && sealAsPrevious(keyring, found),
    previousSecretUntil: previousUntil,
  });
  return { ...withoutKeys({ ...updated, ownerId: owner.ownerId }), secret };
}
