import { gathered } from '#lib/postgres/gathered-reads.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { DeliveryAbout } from './delivery-store.ts';

const selectAboutEach = preparedText<DeliveryAbout & { ordinal: number }>(
  'webhooks.deliveries-about-each',
  `select asked.ordinal::int, d.*
     from unnest($1::uuid[], $2::uuid[]) with ordinality asked (owner, subject, ordinal)
     cross join lateral (
       select d.id, e.event, e.reference, e.subject_id as "subjectId", coalesce(d.last_url, r.url) as "targetUrl", d.status, d.attempts,
              d.last_error as "lastError", d.last_attempt_at as "lastAttemptAt", d.delivered_at as "deliveredAt",
              d.created_at as "createdAt", d.updated_at as "updatedAt"
         from outbox.receiver r
         join outbox.event e on e.receiver_id = r.id and e.subject_id = asked.subject
         join webhooks.delivery d on d.event_id = e.id and d.receiver_id is not distinct from r.id
        where r.owner_id = asked.owner
        order by d.id offset 0) d
    order by asked.ordinal, d.id`,
);

/** As `selectDeliveriesAbout`, of one record. Those who ask at the same moment share a statement. */
export const selectDeliveriesAboutOne = gathered<
  { ownerId: string; subjectId: string },
  { ordinal: number; deliveries: DeliveryAbout[] }
>(async (db, asked) => {
  const found = await selectAboutEach(db, [
    asked.map(({ ownerId }) => ownerId),
    asked.map(({ subjectId }) => subjectId),
  ]);
  const byOrdinal = Map.groupBy(found, ({ ordinal }) => ordinal);
  return [...byOrdinal].map(([ordinal, rows]) => ({
    ordinal,
    deliveries: rows.map(({ ordinal: _ordinal, ...one }) => one),
  }));
});
