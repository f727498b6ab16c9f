import { DomainError } from '#lib/domain-error.ts';
import { type Database, planForValues, type Tx } from '#lib/postgres/executor.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { endpointNotFound, readReceiver } from '#modules/outbox';
import { type DeliveryFilter, ofReceiver, selectDelivery } from './delivery-store.ts';
import { deliveryNotFound, getDelivery } from './read-deliveries.ts';
import {
  countReplayable,
  insertReplays,
  insertResend,
  lockReplayable,
  selectReplayable,
  takeReplayLock,
} from './redelivery-store.ts';

/** The most deliveries that one call creates. */
const REPLAYED_MAX = 1_000;
const SAMPLE_MAX = 20;

/** The audit target of a replay for all receivers. */
const ALL_RECEIVERS = 'deliveries';

export interface ReplayRequest extends Omit<DeliveryFilter, 'status' | 'waiting'> {
  /** Pending deliveries are not replayed. */
  status: 'FAILED' | 'DELIVERED';
  /** The `next` of an earlier result. */
  after?: string | undefined;
}

export interface Replayed {
  /** Matching deliveries before this call, ten thousand at most. */
  matched: number;
  /** Deliveries that this call created. */
  replayed: number;
  /** Ids of some matches, the oldest event first. */
  sample: string[];
  /** The last replayed event, if more follow. */
  next: string | undefined;
}

export interface Replay extends ReplayRequest {
  actor: string;
  /** Replays nothing. */
  dryRun: boolean;
  reason?: string | undefined;
}

/**
 * Delivers the events of matching deliveries once more, for an operator or their owner, the oldest event first: a new delivery
 * for each, with five attempts, due at once. Only the latest delivery of an event to an endpoint is replayed, so overlapping
 * replays send nothing twice. At most a thousand at a time. Audited. Ids in the request must be UUIDs.
 *
 * @throws DomainError BUSY while another replay of the same deliveries runs
 */
export async function replayDeliveries(
  { transact, db }: { db: Database; transact: Transact },
  { actor, dryRun, reason, ...request }: Replay,
): Promise<Replayed & { dryRun: boolean }> {
  if (dryRun) {
    const found = await db.transaction(async (tx) => preview(tx, request), { accessMode: 'read only' });
    return { dryRun, ...found };
  }
  const done = await transact(async (tx) => {
    const replayed = await replayMatching(tx, request);
    if (replayed.replayed > 0) {
      wakeAfterCommit(tx);
      await recordChange(tx, {
        actor,
        action: 'delivery.replay',
        target: request.partnerId ?? request.applicationId ?? ALL_RECEIVERS,
        after: { ...request, matched: replayed.matched, replayed: replayed.replayed },
        reason,
      });
    }
    return replayed;
  });
  return { dryRun, ...done };
}

async function preview(tx: Tx, { after, ...request }: ReplayRequest): Promise<Replayed> {
  const [, filter] = await Promise.all([planForValues(tx), ofReceiver(tx, request)]);
  const [matched, rows] = await Promise.all([
    countReplayable(tx, filter, after),
    selectReplayable(tx, filter, after, SAMPLE_MAX),
  ]);
  return { matched, replayed: 0, sample: sampleOf(rows), next: undefined };
}

async function replayMatching(tx: Tx, { after, ...request }: ReplayRequest): Promise<Replayed> {
  if (!(await takeReplayLock(tx, request.partnerId ?? request.applicationId))) {
    throw new DomainError('BUSY', 'another replay is running: send the same request again', { retryAfterS: 1 });
  }
  const filter = await ofReceiver(tx, request);
  const matched = await countReplayable(tx, filter, after);
  const rows = wholeEvents(await lockReplayable(tx, filter, after, REPLAYED_MAX + 1), REPLAYED_MAX);
  if (rows.length > 0) await insertReplays(tx, rows);
  const next = matched > rows.length ? rows.at(-1)?.eventId : undefined;
  return { matched, replayed: rows.length, sample: sampleOf(rows), next };
}

/** At most `max` rows, without the event that the limit would split. An event has fewer deliveries than `max`. */
function wholeEvents<Row extends { eventId: string }>(rows: readonly Row[], max: number): readonly Row[] {
  const cut = rows[max]?.eventId;
  return rows.slice(0, max).filter(({ eventId }) => eventId !== cut);
}

const sampleOf = (rows: readonly { deliveryId: string }[]) =>
  rows.slice(0, SAMPLE_MAX).map(({ deliveryId }) => deliveryId);

/**
 * Delivers the event of a delivery once more, for an operator or, with `ownerId`, its owner: by a new delivery with five
 * attempts and the same `webhook-id`. Audited.
 *
 * @returns the new delivery, due at once
 * @throws DomainError DELIVERY_NOT_FOUND, for another owner's too; DELIVERY_PURGED when its body was purged;
 *   ENDPOINT_NOT_FOUND when its endpoint was deleted
 */
export async function resendDelivery(
  { transact }: { transact: Transact },
  {
    actor,
    deliveryId,
    ownerId,
    reason,
  }: { actor: string; deliveryId: string; ownerId?: string; reason?: string | undefined },
): ReturnType<typeof getDelivery> {
  return transact(async (tx) => {
    if (ownerId !== undefined) await getDelivery(tx, deliveryId, ownerId);
    const id = await insertResend(tx, deliveryId);
    if (id === undefined) throw await whyNot(tx, deliveryId);
    wakeAfterCommit(tx);
    await recordChange(tx, { actor, action: 'delivery.resend', target: deliveryId, after: { delivery: id }, reason });
    return getDelivery(tx, id);
  });
}

async function whyNot(tx: Tx, deliveryId: string): Promise<DomainError> {
  const found = await selectDelivery(tx, deliveryId);
  if (found === undefined) return deliveryNotFound();
  const endpoint = await readReceiver(tx, found.ownerId, found.endpointId);
  if (endpoint === undefined) return endpointNotFound();
  return new DomainError('DELIVERY_PURGED', 'the body of this event was deleted: it ended too long ago');
}
