import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Transact } from '#lib/transact.ts';
import { recordChange } from '#modules/audit';
import { type RotatedSecret, rotateReceiverSecret } from '#modules/outbox';

const HOUR_MS = 60 * 60 * 1000;

export interface SecretRotation {
  actor: string;
  owner: Parameters<typeof rotateReceiverSecret>[2]['owner'];
  /** The secret so far stops signing at once: it has leaked. */
  immediately: boolean;
  reason?: string | undefined;
}

/**
 * Gives a receiver a new webhook secret. For WEBHOOK_SECRET_OVERLAP_H hours every delivery carries the signatures of
 * both, so that its server can change over whenever it likes (Standard Webhooks, key rotation).
 *
 * @throws DomainError RECEIVER_NOT_FOUND; SECRET_OVERLAP_RUNNING when two secrets sign already
 */
export async function rotateSecret(
  {
    transact,
    keyring,
    clock,
    webhooks,
  }: { transact: Transact; keyring: Keyring; clock: Clock; webhooks: { secretOverlapH: number } },
  { actor, owner, immediately, reason }: SecretRotation,
): Promise<RotatedSecret> {
  const now = clock.now();
  const overlapMs = webhooks.secretOverlapH * HOUR_MS;
  const previousUntil = immediately || overlapMs === 0 ? null : new Date(now.getTime() + overlapMs);
  return transact(async (tx) => {
    const rotated = await rotateReceiverSecret(tx, keyring, { owner, now, previousUntil });
    const after = { previousUntil: previousUntil?.toISOString() ?? null };
    await recordChange(tx, { actor, action: 'webhook.secret.rotate', target: owner.ownerId, after, reason });
    return rotated;
  });
}
