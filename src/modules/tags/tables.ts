import { sql } from 'drizzle-orm';
import { check, index, pgSchema, text, uuid } from 'drizzle-orm/pg-core';
import { application, subject } from '#modules/applications';
import { moment } from '../../lib/columns.ts';

export const tagsSchema = pgSchema('tags');

/** One namespace for all handles: a PayTag is a tag owned by a subject of the built-in application. */
export const tag = tagsSchema.table(
  'tag',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** Normalised: no @, lower case. */
    handle: text('handle').notNull().unique(),
    subjectId: uuid('subject_id')
      .notNull()
      .references(() => subject.id),
    createdByAppId: uuid('created_by_app_id')
      .notNull()
      .references(() => application.id),
    status: text('status', { enum: ['ACTIVE', 'SUSPENDED', 'CLOSED'] })
      .notNull()
      .default('ACTIVE'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    check('tag_status', sql`${t.status} in ('ACTIVE', 'SUSPENDED', 'CLOSED')`),
    index('tag_subject').on(t.subjectId),
  ],
);
