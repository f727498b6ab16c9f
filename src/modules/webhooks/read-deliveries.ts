import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { selectDeliveriesAboutOne } from './about-store.ts';
import { type DeliveryFilter, ofReceiver } from './delivery-filter-store.ts';
import {
  type AttemptRow,
  type DeliveryAbout,
  type DeliveryRow,
  selectAttempts,
  selectDeliveries,
  selectDeliveriesAbout,
  selectDelivery,
  selectNewestDeliveries,
} from './delivery-store.ts';
import { deliveryNotFound } from './errors.ts';

/** Deliveries that match, newest first; `count` is of all that match. Ids in the filter must be UUIDs. */
export async function listDeliveries(
  db: Executor,
  { limit, offset, cursor, ...filter }: DeliveryFilter & PageRequest<string>,
): Promise<Listed<DeliveryRow, string>> {
  return selectDeliveries(db, await ofReceiver(db, filter), { limit, offset, cursor });
}

/** The same of one partner, as it reads them itself: the newest at once, and what is filtered in its turn. */
export async function listOwnDeliveries(
  { db, readLong }: { db: Database; readLong: ReadLong },
  { partnerId, limit, offset, cursor, ...filter }: DeliveryFilter & PageRequest<string> & { partnerId: string },
): Promise<Listed<DeliveryRow, string>> {
  const isWhole = Object.values(filter).every((value) => value === undefined);
  if (isWhole && offset === 0) return selectNewestDeliveries(db, partnerId, { limit, cursor });
  return readLong(`partner:${partnerId}`, async (long) =>
    listDeliveries(long, { ...filter, partnerId, limit, offset, cursor }),
  );
}

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
  const [found, attempts] = await Promise.all([selectDelivery(db, id), selectAttempts(db, id)]);
  if (found === undefined || (ownerId !== undefined && found.ownerId !== ownerId)) throw deliveryNotFound();
  return {
    ...found,
    history: attempts.map((attempt) => ({ ...attempt, response: attempt.response?.toString('utf8') ?? null })),
  };
}

export type { DeliveryAbout } from './delivery-store.ts';

/**
 * The deliveries to one owner of events about these records (`subjectId` of `emit`), delivered or not, resends too, the
 * first one first: one query, however many records.
 */
export async function listDeliveriesAbout(
  db: Executor,
  { ownerId, subjectIds }: { ownerId: string; subjectIds: readonly string[] },
): Promise<DeliveryAbout[]> {
  return subjectIds.length === 0 ? [] : selectDeliveriesAbout(db, { ownerId, subjectIds });
}

/** The same for one record. Those who ask at the same moment share a query. */
export async function listDeliveriesAboutOne(
  db: Executor,
  asked: { ownerId: string; subjectId: string },
): Promise<DeliveryAbout[]> {
  return (await selectDeliveriesAboutOne(db, asked))?.deliveries ?? [];
}
