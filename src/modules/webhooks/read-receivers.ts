import type { Clock } from '#lib/clock.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { endpointNotFound, type Receiver, readReceiver, readReceivers, receiverNotFound } from '#modules/outbox';
import {
  type BreakerRow,
  type PauseRow,
  type ReceiverFilter,
  selectBacklog,
  selectReceiverState,
  selectReceivers,
  selectStates,
} from './receiver-store.ts';
import { type BreakerState, breakerState } from './record.ts';

/** A receiver and its state. */
export interface ReceiverHealth extends Receiver {
  status: 'ACTIVE' | 'PAUSED';
  /** Null unless PAUSED. */
  pausedAt: Date | null;
  pausedBy: PauseRow['pausedBy'] | null;
  pauseReason: string | null;
  /** Pending deliveries, including those in flight: an estimate when there are very many. */
  pending: number;
  pendingIsExact: boolean;
  /** The due time of the first of them; null while none can be sent. */
  oldestDueAt: Date | null;
  /** OPEN: nothing is sent until `until`. HALF_OPEN: a single delivery probes. `failures` are in a row. */
  breaker: { state: BreakerState; failures: number; failingSince?: Date; until?: Date };
  /** The most attempts a second; null: no limit. */
  rate: number | null;
}

type State = Awaited<ReturnType<typeof selectReceiverState>>;

type Backlog = Awaited<ReturnType<typeof selectBacklog>>;

/**
 * An endpoint of a partner or application, by default the default one. `updatedAt` covers URL, secret and pause.
 *
 * @throws DomainError RECEIVER_NOT_FOUND; ENDPOINT_NOT_FOUND for an `endpointId`
 */
export async function getReceiver(
  db: Executor,
  ownerId: string,
  clock: Clock,
  endpointId?: string,
): Promise<ReceiverHealth> {
  const found = await readReceiver(db, ownerId, endpointId);
  if (found === undefined) throw endpointId === undefined ? receiverNotFound() : endpointNotFound();
  const [state, backlog] = await Promise.all([selectReceiverState(db, found.id), selectBacklog(db, found.id)]);
  return healthOf(found, state, backlog, clock);
}

/**
 * The same for display: counts at most 10001 pending deliveries.
 *
 * @throws DomainError ENDPOINT_NOT_FOUND
 */
export async function getEndpoint(
  { db, clock }: { db: Executor; clock: Clock },
  { ownerId, endpointId }: { ownerId: string; endpointId: string },
): Promise<ReceiverHealth> {
  const found = await readReceiver(db, ownerId, endpointId);
  const state = found && (await selectStates(db, [found.id])).get(found.id);
  if (found === undefined || state === undefined) throw endpointNotFound();
  return healthOf(found, state, state, clock);
}

/**
 * All endpoints of a partner or application, the default one first. Counts at most 10001 pending deliveries of each.
 *
 * @throws DomainError RECEIVER_NOT_FOUND
 */
export async function listEndpoints(
  { db, clock }: { db: Executor; clock: Clock },
  ownerId: string,
): Promise<ReceiverHealth[]> {
  const found = await readReceivers(db, ownerId);
  if (found.length === 0) throw receiverNotFound();
  return healthOfAll({ db, clock }, found);
}

/**
 * Endpoints of all partners and applications, newest first. Counts at most 10001 pending deliveries of each.
 */
export async function listReceivers(
  { db, clock }: { db: Executor; clock: Clock },
  { limit, offset, cursor, ...filter }: ReceiverFilter & PageRequest<string>,
): Promise<Listed<ReceiverHealth, string>> {
  const { items, ...found } = await selectReceivers(db, filter, { limit, offset, cursor }, clock.now());
  return { ...found, items: await healthOfAll({ db, clock }, items) };
}

async function healthOfAll(
  { db, clock }: { db: Executor; clock: Clock },
  found: readonly Receiver[],
): Promise<ReceiverHealth[]> {
  if (found.length === 0) return [];
  const states = await selectStates(
    db,
    found.map(({ id }) => id),
  );
  return found.flatMap((receiver) => {
    const state = states.get(receiver.id);
    return state === undefined ? [] : [healthOf(receiver, state, state, clock)];
  });
}

function healthOf(found: Receiver, state: State, { pending, firstDueAt }: Backlog, clock: Clock): ReceiverHealth {
  const { pause, breaker, rate } = state;
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
    breaker: breakerOf(breaker, clock),
    rate,
  };
}

const latest = (first: Date, ...others: (Date | null | undefined)[]): Date =>
  others.reduce<Date>((soFar, other) => (other != null && other > soFar ? other : soFar), first);

function breakerOf(row: BreakerRow | null, clock: Clock): ReceiverHealth['breaker'] {
  const state = breakerState(row, clock.now());
  if (row === null || row.failures === 0) return { state, failures: 0 };
  const { failures, failingSince, openUntil } = row;
  return { state, failures, failingSince, ...(state === 'OPEN' && openUntil !== null ? { until: openUntil } : {}) };
}
