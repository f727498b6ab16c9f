import { DomainError } from '#lib/domain-error.ts';
import { type Database, planForValues, type Tx } from '#lib/postgres/executor.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { recordChange } from '#modules/audit';
import { type DeliveryFilter, ofReceiver } from './delivery-filter-store.ts';
import {
  countReplayable,
  insertReplays,
  lockReplayable,
  selectReplayable,
  takeReplayLock,
} from './redelivery-store.ts';

/** Deliveries that one call makes at most. */
const REPLAYED_MAX = 1_000;
const SAMPLE_MAX = 20;
/** In the audit log, the target of a replay for all receivers. */
const ALL_RECEIVERS = 'deliveries';

export interface ReplayRequest extends Omit<DeliveryFilter, 'status' | 'waiting'> {
  /** What is still pending is not replayed. */
  status: 'FAILED' | 'DELIVERED';
  /** Continues after this event: the `next` of an earlier result. */
  after?: string | undefined;
}

export interface Replayed {
  /** Deliveries that matched before this call, ten thousand at most. */
  matched: number;
  /** Deliveries made by this call. */
  replayed: number;
  /** Ids of some that matched, the oldest event first. */
  sample: string[];
  /** The last event that was replayed, while there are more after it. */
  next: string | undefined;
}

export interface Replay extends ReplayRequest {
  actor: string;
  /** Only says what would be replayed. */
  dryRun: boolean;
  reason?: string | undefined;
}

/**
 * Delivers the events of the deliveries that match once more, the oldest event first, at the request of an operator or of
 * their owner: for each a new delivery with five attempts of its own, due at once. To each endpoint an event is replayed for its
 * latest delivery only, so that what was resent or replayed already is not sent twice, however many replays run. At most a
 * thousand at a time. Audited. Ids in the request must be UUIDs.
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

/** At most so many, and none of the event that would be cut in two. An event has fewer deliveries than are replayed at once. */
function wholeEvents<Row extends { eventId: string }>(rows: readonly Row[], max: number): readonly Row[] {
  const cut = rows[max]?.eventId;
  return rows.slice(0, max).filter(({ eventId }) => eventId !== cut);
}

const sampleOf = (rows: readonly { deliveryId: string }[]) =>
  rows.slice(0, SAMPLE_MAX).map(({ deliveryId }) => deliveryId);
