import type { Clock } from '#lib/clock.ts';
import type { Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { endpointNotFound, type Receiver, readReceiver, readReceivers, receiverNotFound } from '#modules/outbox';
import { type BreakerState, breakerState } from './breaker.ts';
import { type ReceiverFilter, selectReceivers } from './receiver-list-store.ts';
import { type BreakerRow, type PauseRow, selectBacklog, selectReceiverState, selectStates } from './receiver-store.ts';

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
  /** Attempts a second at most; null: as many as it takes. */
  rate: number | null;
}

type State = Awaited<ReturnType<typeof selectReceiverState>>;
type Backlog = Awaited<ReturnType<typeof selectBacklog>>;

/**
 * An endpoint of a partner or application, the default one where none is named, and how it is doing. `updatedAt` is when its
 * URL, secret or pause last changed.
 *
 * @throws DomainError RECEIVER_NOT_FOUND; ENDPOINT_NOT_FOUND where one was named
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
 * The same for showing: of what waits no more than 10001 is counted.
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
 * All endpoints of a partner or application and how they are doing, the default one first. Of what waits no more than 10001
 * is counted for each.
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
 * Endpoints of all partners and applications and how they are doing, newest first. Of what waits no more than 10001 is counted
 * for each.
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
    breaker: readBreaker(breaker, clock),
    rate,
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
