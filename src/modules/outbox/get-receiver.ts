import type { Clock } from '#lib/clock.ts';
import type { Executor } from '#lib/database.ts';
import { type BreakerState, breakerState } from './breaker.ts';
import { receiverNotFound } from './errors.ts';
import { type Receiver, withoutKeys } from './read-receiver.ts';
import { type BreakerRow, selectBacklog, selectBreaker } from './receiver-store.ts';
import { selectReceiver } from './store.ts';

/** A receiver and how it is doing. */
export interface ReceiverHealth extends Receiver {
  /** Deliveries that wait for it, those that are being sent included. */
  pending: number;
  /** When the first of them is, or was, due; null while none can be sent. */
  oldestDueAt: Date | null;
  /** OPEN: nothing is sent until `until`. HALF_OPEN: a single delivery probes. `failures` are in a row. */
  breaker: { state: BreakerState; failures: number; failingSince?: Date; until?: Date };
}

/**
 * The receiver of a partner or application, and how it is doing.
 *
 * @throws DomainError RECEIVER_NOT_FOUND
 */
export async function getReceiver(db: Executor, ownerId: string, clock: Clock): Promise<ReceiverHealth> {
  const found = await selectReceiver(db, ownerId);
  if (found === undefined) throw receiverNotFound();
  const { pending, firstDueAt } = await selectBacklog(db, found.id);
  const deliverable = found.status === 'ACTIVE' && found.url !== null;
  return {
    ...withoutKeys(found),
    pending,
    oldestDueAt: deliverable ? firstDueAt : null,
    breaker: readBreaker(await selectBreaker(db, found.id), clock),
  };
}

function readBreaker(row: BreakerRow | undefined, clock: Clock): ReceiverHealth['breaker'] {
  const state = breakerState(row, clock.now());
  if (row === undefined || row.failures === 0) return { state, failures: 0 };
  const { failures, failingSince, openUntil } = row;
  return { state, failures, failingSince, ...(state === 'OPEN' && openUntil !== null ? { until: openUntil } : {}) };
}
