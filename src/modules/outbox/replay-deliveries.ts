import type { Executor, Tx } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { type DeliveryFilter, scoped } from './filter-store.ts';
import { countReplayable, insertReplays, lockReplayable, selectReplayable, takeReplayLock } from './replay-store.ts';

/** Deliveries that one call makes at most. */
const REPLAYED_MAX = 1_000;
const SAMPLE_MAX = 20;

export interface ReplayRequest extends Omit<DeliveryFilter, 'status'> {
  /** What has not ended yet is on its way, and is not replayed. */
  status: 'FAILED' | 'DELIVERED';
  /** Goes on behind this event: the `next` of an earlier answer. */
  after?: string | undefined;
}

export interface Replayed {
  /** Deliveries that matched before this call, ten thousand at most. */
  matched: number;
  /** Deliveries made by this call. */
  replayed: number;
  /** Ids of some that matched, the oldest event first. */
  sample: string[];
  /** The last event that was replayed, while there are more behind it. */
  next: string | undefined;
}

const sampleOf = (rows: readonly { deliveryId: string }[]) =>
  rows.slice(0, SAMPLE_MAX).map(({ deliveryId }) => deliveryId);

/** What a replay would find, without doing anything. Ids in the request must be UUIDs. */
export async function previewReplay(db: Executor, { after, ...request }: ReplayRequest): Promise<Replayed> {
  const filter = await scoped(db, request);
  const matched = await countReplayable(db, filter, after);
  const sample = sampleOf(await selectReplayable(db, filter, after, SAMPLE_MAX));
  return { matched, replayed: 0, sample, next: undefined };
}

/**
 * Delivers the events of the deliveries that match once more, the oldest event first: for each a new delivery with five
 * attempts of its own, due at once. An event is replayed for its latest delivery only, so that what was resent or replayed
 * already is not sent twice, however many replays run. At most a thousand at a time. Wake the worker after the commit.
 *
 * @throws DomainError BUSY while another replay of the same deliveries runs
 */
export async function replayDeliveries(tx: Tx, { after, ...request }: ReplayRequest): Promise<Replayed> {
  if (!(await takeReplayLock(tx, request.partnerId ?? request.applicationId))) {
    throw new DomainError('BUSY', 'another replay is running: send the same request again', { retryAfterS: 1 });
  }
  const filter = await scoped(tx, request);
  const matched = await countReplayable(tx, filter, after);
  const rows = await lockReplayable(tx, filter, after, REPLAYED_MAX);
  if (rows.length > 0) await insertReplays(tx, rows);
  const next = matched > rows.length ? rows.at(-1)?.eventId : undefined;
  return { matched, replayed: rows.length, sample: sampleOf(rows), next };
}
