import type { Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { wakeAfterCommit } from '#lib/transact.ts';
import { receiverNotFound } from './errors.ts';
import { type Receiver, withoutKeys } from './read-receiver.ts';
import { deleteBreaker, type Pause, selectReceiverLocked, setReceiverPause } from './receiver-store.ts';

/** A receiver as it was and as it is; the same object where nothing changed. */
export interface ReceiverChange {
  before: Receiver;
  after: Receiver;
}

/**
 * Keeps the events of an owner from now on, those still pending included; what is in flight ends by itself. One that is
 * paused stays as it is, with its reason, except that an operator's word stands over its owner's and ours.
 *
 * @throws DomainError RECEIVER_NOT_FOUND
 */
export async function setPaused(tx: Tx, ownerId: string, pause: Pause): Promise<ReceiverChange> {
  const found = await selectReceiverLocked(tx, ownerId);
  if (found === undefined) throw receiverNotFound();
  const stays = found.status === 'PAUSED' && (pause.by !== 'OPERATOR' || found.pausedBy === 'OPERATOR');
  const before = withoutKeys(found);
  return { before, after: stays ? before : withoutKeys(await setReceiverPause(tx, found.id, pause)) };
}

/**
 * Sends the events of an owner again, those kept meanwhile included, and as if it had never failed.
 *
 * @throws DomainError RECEIVER_NOT_FOUND, RECEIVER_PAUSED_BY_OPERATOR: its owner cannot end what an operator began
 */
export async function setActive(
  tx: Tx,
  { ownerId, by }: { ownerId: string; by: 'OPERATOR' | 'OWNER' },
): Promise<ReceiverChange> {
  const found = await selectReceiverLocked(tx, ownerId);
  if (found === undefined) throw receiverNotFound();
  if (found.pausedBy === 'OPERATOR' && by !== 'OPERATOR') {
    throw new DomainError('RECEIVER_PAUSED_BY_OPERATOR', 'the operator paused this receiver and has to resume it');
  }
  const before = withoutKeys(found);
  const after = found.status === 'ACTIVE' ? before : withoutKeys(await setReceiverPause(tx, found.id, null));
  await deleteBreaker(tx, found.id);
  wakeAfterCommit(tx);
  return { before, after };
}
