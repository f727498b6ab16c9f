import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';

/** Which event is looked for: its owner's, with this reference, written in this time. */
export interface ToldOf {
  ownerId: string;
  reference: string;
  /** Of a wallet's event: its place in the wallet's history. */
  sequence?: number | undefined;
  since: Date;
  until: Date;
}

/** An event with one of its deliveries, or with none, where nobody wanted it. */
interface ToldRow {
  eventId: string;
  event: string;
  reference: string;
  ownerId: string;
  writtenAt: Date;
  id: string | null;
  endpointId: string | null;
  status: 'PENDING' | 'DELIVERED' | 'FAILED' | null;
  attempts: number | null;
  lastError: string | null;
  lastAttemptAt: Date | null;
  deliveredAt: Date | null;
}

/** How an event reached, or did not reach, one of its owner's endpoints. */
export interface ToldDelivery {
  id: string;
  endpointId: string;
  status: NonNullable<ToldRow['status']>;
  /** Begun. */
  attempts: number;
  lastError: string | undefined;
  lastAttemptAt: Date | undefined;
  deliveredAt: Date | undefined;
}

/** An event, and how it was delivered. */
export interface ToldEvent extends Pick<ToldRow, 'event' | 'reference' | 'ownerId' | 'writtenAt'> {
  id: string;
  /** Resends and replays too, the first one first. */
  deliveries: ToldDelivery[];
}

const COLUMNS = `e.id as "eventId", e.event, e.reference, asked.owner as "ownerId", e.created_at as "writtenAt", d.id,
  d.receiver_id as "endpointId", d.status, d.attempts, d.last_error as "lastError", d.last_attempt_at as "lastAttemptAt",
  d.delivered_at as "deliveredAt"`;

/** Rows of one answer: an event may have been sent again many times. */
const ENDS = 'left join webhooks.delivery d on d.event_id = e.id order by e.created_at, e.id, d.id limit 500';

const selectTold = preparedText<ToldRow & Record<string, unknown>>(
  'webhooks.told-at',
  `select ${COLUMNS}
     from unnest($1::uuid[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[])
       asked (owner, reference, sequence, since, until)
     cross join lateral (
       select e.* from outbox.receiver r join outbox.event e on e.receiver_id = r.id
        where r.owner_id = asked.owner and e.created_at between asked.since and asked.until
          and e.reference = asked.reference and (asked.sequence is null or e.sequence = asked.sequence)
        order by e.created_at desc limit 1) e
     ${ENDS}`,
);

const selectAbout = preparedText<ToldRow & Record<string, unknown>>(
  'webhooks.told-about',
  `select ${COLUMNS}
     from unnest($1::uuid[]) asked (owner)
     join outbox.receiver r on r.owner_id = asked.owner
     join outbox.event e on e.receiver_id = r.id and e.subject_id = $2::uuid
     ${ENDS}`,
);

/** The events that are looked for, as far as they were written, in their order; each with its deliveries. */
export async function findTold(db: Executor, asked: readonly ToldOf[]): Promise<ToldEvent[]> {
  if (asked.length === 0) return [];
  const rows = await selectTold(db, [
    asked.map(({ ownerId }) => ownerId),
    asked.map(({ reference }) => reference),
    asked.map(({ sequence }) => sequence ?? null),
    asked.map(({ since }) => since.toISOString()),
    asked.map(({ until }) => until.toISOString()),
  ]);
  return toEvents(rows);
}

/** The events to these owners about a record (`subjectId` of `emit`), in their order; each with its deliveries. */
export async function findToldAbout(
  db: Executor,
  { ownerIds, subjectId }: { ownerIds: readonly string[]; subjectId: string },
): Promise<ToldEvent[]> {
  return toEvents(await selectAbout(db, [[...new Set(ownerIds)], subjectId]));
}

const toEvents = (rows: readonly ToldRow[]): ToldEvent[] =>
  [...Map.groupBy(rows, ({ eventId }) => eventId)].map(([id, ofEvent]) => {
    const { event, reference, ownerId, writtenAt } = ofEvent[0] as ToldRow;
    return { id, event, reference, ownerId, writtenAt, deliveries: ofEvent.flatMap(toDelivery) };
  });

const toDelivery = ({ id, endpointId, status, attempts, ...rest }: ToldRow): ToldDelivery[] =>
  id === null || endpointId === null || status === null
    ? []
    : [
        {
          id,
          endpointId,
          status,
          attempts: attempts ?? 0,
          lastError: rest.lastError ?? undefined,
          lastAttemptAt: rest.lastAttemptAt ?? undefined,
          deliveredAt: rest.deliveredAt ?? undefined,
        },
      ];
