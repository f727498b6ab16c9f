import type { Clock } from '#lib/clock.ts';
import type { Executor } from '#lib/database.ts';
import { type Receiver, readReceiver, receiverNotFound } from '#modules/outbox';
import { type BreakerState, breakerState } from './breaker.ts';
import { type BreakerRow, type PauseRow, selectBacklog, selectReceiverState } from './receiver-store.ts';

/** A receiver and how it is doing. */
export interface ReceiverHealth extends Receiver {
  status: 'ACTIVE' | 'PAUSED';
  /** While PAUSED: since when, by whom, and why. */
  pausedAt: Date | null;
  pausedBy: PauseRow['pausedBy'] | null;
  pauseReason: string | null;
  /** Deliveries that wait for it, those that are being sent included: estimated when there are very many. */
  pending: number;
  pendingIsExact: boolean;
  /** When the first of them is, or was, due; null while none can be sent. */
  oldestDueAt: Date | null;
  /** OPEN: nothing is sent until `until`. HALF_OPEN: a single delivery probes. `failures` are in a row. */
  breaker: { state: BreakerState; failures: number; failingSince?: Date; until?: Date };
}

/**
 * The receiver of a partner or application, and how it is doing. `updatedAt` is when its URL, secret or pause last changed.
 *
 * @throws DomainError RECEIVER_NOT_FOUND
 */
export async function getReceiver(db: Executor, ownerId: string, clock: Clock): Promise<ReceiverHealth> {
  const found = await readReceiver(db, ownerId);
  if (found === undefined) throw receiverNotFound();
  const { pause, breaker } = await selectReceiverState(db, found.id);
  const { pending, firstDueAt } = await selectBacklog(db, found.id);
  const inForce = pause?.resumedAt === null ? pause : null;
  return {
    ...found,
    updatedAt: latest(found.updatedAt, pause?.pausedAt, pause?.resumedAt),
    status: inForce === null ? 'ACTIVE' : 'PAUSED',
    pausedAt: inForce && inForce.pausedAt,
    pausedBy: inForce && inForce.pausedBy,
    pauseReason: inForce && inForce.reason,
    pending: pending.count,
    pendingIsExact: pending.countIsExact,
    oldestDueAt: inForce === null && found.url !== null ? firstDueAt : null,
    breaker: readBreaker(breaker, clock),
  };
}

const latest = (first: Date, ...others: (Date | null | undefined)[]): Date =>
  others.reduce<Date>((latestYet, other) => (other != null && other > latestYet ? other : latestYet), first);

function readBreaker(row: BreakerRow | null, clock: Clock): ReceiverHealth['breaker'] {
  const state = breakerState(row, clock.now());
  if (row === null || row.failures === 0) return { state, failures: 0 };
  const { failures, failingSince, openUntil } = row;
  return { state, failures, failingSince, ...(state === 'OPEN' && openUntil !== null ? { until: openUntil } : {}) };
}
