import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Transact } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { lockAuthentic, lockReceiver, markDeleted } from '#modules/outbox';
import { endDeliveriesOf, endPause } from './pause-store.ts';
import { deleteBreaker, setRate } from './receiver-store.ts';

/** In the caller's transaction; the workers end the others. */
const ENDED_AT_ONCE_MAX = 500;

/**
 * Deletes an endpoint beside the default one: it is sent nothing any more, what waits for it is FAILED, and its deliveries stay
 * as the record. Audited.
 *
 * @throws DomainError ENDPOINT_NOT_FOUND, ENDPOINT_IS_DEFAULT
 */
export async function deleteEndpoint(
  { transact, keyring }: { transact: Transact; keyring: Keyring },
  { actor, ownerId, endpointId }: { actor: string; ownerId: string; endpointId: string },
): Promise<void> {
  await transact(async (tx) => {
    await lockReceiver(tx, { ownerId }); // counts the others
    const locked = await lockAuthentic(tx, keyring, { ownerId, endpointId });
    const { id, defaultId, url } = locked;
    if (defaultId === null) {
      throw new DomainError('ENDPOINT_IS_DEFAULT', 'the default endpoint cannot be deleted: take its URL away instead');
    }
    await endPause(tx, id);
    await markDeleted(tx, keyring, { ...locked, defaultId });
    await setRate(tx, id, null);
    await endDeliveriesOf(tx, id, ENDED_AT_ONCE_MAX);
    await deleteBreaker(tx, id);
    const before = { endpoint: id, webhookUrl: url };
    await recordChange(tx, { actor, action: 'endpoint.delete', target: ownerId, before });
  });
}
