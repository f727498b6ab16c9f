import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { receiverNotFound } from './errors.ts';
import { type Receiver, withoutKeys } from './read-receiver.ts';
import { sealSecret } from './receiver-keys.ts';
import { selectReceiverLocked } from './receiver-store.ts';
import { setReceiverSecret } from './secret-store.ts';
import type { ReceiverRow } from './store.ts';
import { newWebhookSecret } from './webhook-secret.ts';

/** Whose receiver it is. */
type Owner = Pick<ReceiverRow, 'ownerId' | 'ownerKind'>;

/** A receiver with its new secret, which is told this once. */
export type RotatedSecret = Receiver & { secret: string };

/**
 * Gives a receiver a new secret. The one before signs beside it until `previousUntil`; with null it stops at once. While
 * an earlier one still signs, only that is possible: a second rotation in a row would silence the secret in use.
 *
 * @throws DomainError RECEIVER_NOT_FOUND, SECRET_OVERLAP_RUNNING
 */
export async function rotateReceiverSecret(
  tx: Tx,
  keyring: Keyring,
  { owner, now, previousUntil }: { owner: Owner; now: Date; previousUntil: Date | null },
): Promise<RotatedSecret> {
  const found = await selectReceiverLocked(tx, owner.ownerId);
  if (found?.ownerKind !== owner.ownerKind) throw receiverNotFound();
  if (previousUntil !== null && found.previousSecretUntil !== null && found.previousSecretUntil > now) {
    throw new DomainError(
      'SECRET_OVERLAP_RUNNING',
      `the secret before the last rotation signs until ${found.previousSecretUntil.toISOString()}: rotate after that, or with immediately true`,
    );
  }
  const secret = newWebhookSecret();
  const updated = await setReceiverSecret(tx, found.id, {
    secretSealed: sealSecret(keyring, secret),
    secretRotatedAt: now,
    previousSecretSealed: previousUntil && found.secretSealed,
    previousSecretUntil: previousUntil,
  });
  return { ...withoutKeys(updated), secret };
}
