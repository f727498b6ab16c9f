import type { Executor } from '../../lib/database.ts';
import { receiverNotFound } from './errors.ts';
import { type Receiver, withoutKeys } from './read-receiver.ts';
import { selectBacklog } from './receiver-store.ts';
import { selectReceiver } from './store.ts';

/** A receiver and how it is doing. */
export interface ReceiverHealth extends Receiver {
  /** Deliveries that wait for it, those that are being sent included. */
  pending: number;
  /** When the first of them is, or was, due; null while none can be sent. */
  oldestDueAt: Date | null;
}

/**
 * The receiver of a partner or application, and how it is doing.
 *
 * @throws DomainError RECEIVER_NOT_FOUND
 */
export async function getReceiver(db: Executor, ownerId: string): Promise<ReceiverHealth> {
  const found = await selectReceiver(db, ownerId);
  if (found === undefined) throw receiverNotFound();
  return { ...withoutKeys(found), ...(await selectBacklog(db, found.id)) };
}
