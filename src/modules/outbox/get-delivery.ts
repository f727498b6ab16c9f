import type { Executor } from '#lib/database.ts';
import { deliveryNotFound } from './errors.ts';
import { type AttemptRow, type DeliveryRow, selectAttempts, selectDelivery } from './store.ts';

/** One attempt; without `durationMs` it is under way, or its process died. */
export interface Attempt extends Omit<AttemptRow, 'response'> {
  /** The first 16 KiB of the answer, read as UTF-8. */
  response: string | null;
}

/**
 * A delivery with every attempt, the first one first. With `ownerId` it must be of that partner or application.
 *
 * @throws DomainError DELIVERY_NOT_FOUND, for somebody else's too
 */
export async function getDelivery(
  db: Executor,
  id: string,
  ownerId?: string,
): Promise<DeliveryRow & { history: Attempt[] }> {
  const found = await selectDelivery(db, id);
  if (found === undefined || (ownerId !== undefined && found.ownerId !== ownerId)) throw deliveryNotFound();
  const attempts = await selectAttempts(db, id);
  return {
    ...found,
    history: attempts.map((attempt) => ({ ...attempt, response: attempt.response?.toString('utf8') ?? null })),
  };
}
