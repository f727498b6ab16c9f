import { sql } from '#drizzle';
import { check, index, pgSchema, text, uniqueIndex, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { application, subject } from '#modules/clients';
import { tagStatuses } from './handle.ts';

export const tagsSchema = pgSchema('tags');

/** One namespace for all handles: a PayTag is a tag owned by a subject of the built-in application. */
export const tag = tagsSchema.table(
  'tag',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** Normalised: no @, lower case. */
    handle: text('handle').notNull(),
    subjectId: uuid('subject_id')
      .notNull()
      .references(() => subject.id),
    createdByAppId: uuid('created_by_app_id')
      .notNull()
      .references(() => application.id),
    status: text('status', { enum: tagStatuses }).notNull().default('ACTIVE'),
    closedAt: moment('closed_at'),
    /** When the handle of a closed tag was given again; the row is kept for its history. */
    releasedAt: moment('released_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /** Of whose it is, while it has the handle (`tag-route.ts`). */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [
    check('tag_status', sql`${t.status} in ('ACTIVE', 'SUSPENDED', 'CLOSED')`),
    check('tag_closed', sql`(${t.closedAt} is not null) = (${t.status} = 'CLOSED')`),
    check('tag_released', sql`${t.releasedAt} is null or ${t.status} = 'CLOSED'`),
    uniqueIndex('tag_handle').on(t.handle).where(sql`${t.releasedAt} is null`),
    index('tag_out_of_use').on(t.id).where(sql`${t.status} <> 'ACTIVE' and ${t.releasedAt} is null`),
    index('tag_subject').on(t.subjectId),
    index('tag_made_by').on(t.createdByAppId, t.id).where(sql`${t.releasedAt} is null`),
  ],
);
