import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { createKeyOpener } from '#modules/outbox';
import {
  type AttemptRow,
  type DeliveryAbout,
  type DeliveryFilter,
  type DeliveryRow,
  ofReceiver,
  selectAttempts,
  selectDeliveries,
  selectDeliveriesAbout,
  selectDeliveriesAboutOne,
  selectDelivery,
  selectNewestDeliveries,
  selectRequest,
} from './delivery-store.ts';
import { signedHeaders } from './sign.ts';

/** Matching deliveries, newest first; `count` counts all matches. Ids in the filter must be UUIDs. */
export async function listDeliveries(
  db: Executor,
  { limit, offset, cursor, ...filter }: DeliveryFilter & PageRequest<string>,
): Promise<Listed<DeliveryRow, string>> {
  return selectDeliveries(db, await ofReceiver(db, filter), { limit, offset, cursor });
}

/** The deliveries of one partner for itself: an unfiltered first page at once, other reads in the partner's queue. */
export async function listOwnDeliveries(
  { db, readLong }: { db: Database; readLong: ReadLong },
  { partnerId, limit, offset, cursor, ...filter }: DeliveryFilter & PageRequest<string> & { partnerId: string },
): Promise<Listed<DeliveryRow, string>> {
  const isUnfiltered = Object.values(filter).every((value) => value === undefined);
  if (isUnfiltered && offset === 0) return selectNewestDeliveries(db, partnerId, { limit, cursor });
  return readLong(`partner:${partnerId}`, async (long) =>
    listDeliveries(long, { ...filter, partnerId, limit, offset, cursor }),
  );
}

/** Without `durationMs` the attempt is in flight, or its process died. */
export interface Attempt extends Omit<AttemptRow, 'response'> {
  /** The first 16 KiB of the answer, read as UTF-8. */
  response: string | null;
}

/**
 * A delivery with every attempt, the first one first. With `ownerId` it must belong to that partner or application.
 *
 * @throws DomainError DELIVERY_NOT_FOUND, for another owner's too
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

/**
 * An owner's deliveries of events about these records (`subjectId` of `emit`), including resends, the first one first: one
 * query for all records.
 */
export async function listDeliveriesAbout(
  db: Executor,
  { ownerId, subjectIds }: { ownerId: string; subjectIds: readonly string[] },
): Promise<DeliveryAbout[]> {
  return subjectIds.length === 0 ? [] : selectDeliveriesAbout(db, { ownerId, subjectIds });
}

/** The same for one record. Concurrent callers share a query. */
export async function listDeliveriesAboutOne(
  db: Executor,
  asked: { ownerId: string; subjectId: string },
): Promise<DeliveryAbout[]> {
  return (await selectDeliveriesAboutOne(db, asked))?.deliveries ?? [];
}

/** The request of an attempt. */
export interface WebhookRequest {
  /** Null once purged; then there are no headers either. */
  body: string | null;
  /** As of the latest attempt, or now before the first one; signed with the current keys. */
  headers: Record<string, string>;
  /** The names of the endpoint's own headers. */
  ownHeaders: string[];
}

/** Differs in each attempt and is not stored. */
const SPAN = /-[0-9a-f]{16}-/;

/**
 * The request of the latest attempt, for its owner to compare with what arrived. The values of the endpoint's own headers are
 * left out.
 *
 * @throws DomainError DELIVERY_NOT_FOUND, for another owner's too
 */
export async function readRequest(
  { db, keyring, clock }: { db: Executor; keyring: Keyring; clock: Clock },
  { deliveryId, ownerId }: { deliveryId: string; ownerId: string },
): Promise<WebhookRequest> {
  const found = await selectRequest(db, { deliveryId, ownerId });
  if (found === undefined) throw deliveryNotFound();
  const { eventId, body, sequence, lastAttemptAt, headerNames, traceparent: trace, ...sealed } = found;
  const ownHeaders = headerNames ?? [];
  if (body === null) return { body, headers: {}, ownHeaders };
  const at = lastAttemptAt ?? clock.now();
  const keys = createKeyOpener(keyring)({ ...sealed, headersSealed: null }, at);
  const message = {
    eventId,
    body: Buffer.from(body),
    sequence: sequence === null ? null : String(sequence),
    traceparent: trace,
  };
  const { traceparent = '', ...headers } = signedHeaders(message, keys, at);
  return { body, headers: { ...headers, traceparent: traceparent.replace(SPAN, '-…-') }, ownHeaders };
}

export const deliveryNotFound = () => new DomainError('DELIVERY_NOT_FOUND', 'no webhook delivery has this id');
