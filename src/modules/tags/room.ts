import { and, desc, eq } from '#drizzle';
import type { Executor } from '#lib/postgres/executor.ts';
import { prepared } from '#lib/postgres/prepared.ts';
import type { Retention, Room } from '#lib/room.ts';
import { type ExportOf, type OfCustomer } from '#lib/room.ts';
import { payTagApplicationId, subject } from '#modules/clients';
import type { TagRow } from './store.ts';
import { routingFacts } from './store.ts';
import { tag } from './tables.ts';

/** How long each table of this room is kept. */
const retention: readonly Retention[] = [
  {
    table: 'tags.tag',
    kept: 'for ever',
    why: 'money and consent name it',
  },
];

/** The customer's PayTag, and what those who look it up are shown of its subject. */
const exportOf: ExportOf = async ({ db }, customerId) =>
  (await ofCustomer(db, { customerId })).map(
    ({ tag: { id, handle, status, createdAt, closedAt, releasedAt }, subject: of }) => ({
      id,
      handle,
      status,
      createdAt,
      closedAt,
      releasedAt,
      subject: {
        id: of.id,
        displayName: of.displayName,
        imageUrl: of.imageUrl,
        metadata: of.metadata,
        createdAt: of.createdAt,
      },
    }),
  );

/** The tags of a customer, newest first, one whose handle was released included. */
export const tagsOfCustomer = async (db: Executor, customerId: string): Promise<TagRow[]> =>
  (await ofCustomer(db, { customerId })).map((found) => found.tag);

const ofCustomer = prepared('tags.of-customer', (db, given: OfCustomer) =>
  db
    .select({ tag, subject })
    .from(tag)
    .innerJoin(subject, eq(subject.id, tag.subjectId))
    .where(and(eq(subject.applicationId, payTagApplicationId), eq(subject.externalId, given.customerId)))
    .orderBy(desc(tag.id)),
);

export const room: Room = { retention, routingFacts, exports: { payTags: exportOf } };
