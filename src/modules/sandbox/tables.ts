import { sql } from '#drizzle';
import { bigint, check, index, integer, jsonb, pgSchema, primaryKey, smallint, text, uuid } from '#drizzle/pg-core';
import { moment } from '#lib/postgres/columns.ts';
import { application } from '#modules/clients';
import { disturbedAnswers, providerNames } from '../../providers/disturbance.ts';
import { hookModes } from './hook-mode.ts';

export const sandboxSchema = pgSchema('sandbox');

/** What a receiver of the sandbox was sent: of each owner the latest. */
export const hookRequest = sandboxSchema.table(
  'hook_request',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    ownerId: uuid('owner_id').notNull(),
    mode: text('mode', { enum: hookModes }).notNull(),
    /** The same in every attempt: `webhook-id`, or a digest of the body of what has none. */
    message: text('message').notNull(),
    headers: jsonb('headers').$type<Record<string, string>>().notNull(),
    body: text('body').notNull(),
    /** What it was answered. */
    status: smallint('status').notNull(),
    receivedAt: moment('received_at').notNull(),
  },
  (t) => [
    check('hook_request_mode', sql`${t.mode} in ('200', '500', 'slow', 'flaky')`),
    index('hook_request_newest').on(t.ownerId, t.id),
  ],
);

/** How a simulator answers the next calls on behalf of an owner: as often as `timesLeft` says. */
export const disturbance = sandboxSchema.table(
  'disturbance',
  {
    ownerId: uuid('owner_id').notNull(),
    provider: text('provider', { enum: providerNames }).notNull(),
    answer: text('answer', { enum: disturbedAnswers }).notNull(),
    delayMs: integer('delay_ms').notNull(),
    timesLeft: smallint('times_left').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.ownerId, t.provider] }),
    check('disturbance_provider', sql`${t.provider} in ('bvn', 'bank', 'messaging', 'email')`),
    check('disturbance_answer', sql`${t.answer} in ('fail', 'timeout', 'slow')`),
    check('disturbance_delay', sql`${t.delayMs} between 0 and 10000`),
    check('disturbance_times', sql`${t.timesLeft} between 1 and 100`),
  ],
);

/** One row: the application that offers others money in the sandbox, and its tag. */
export const counterpart = sandboxSchema.table(
  'counterpart',
  {
    id: smallint('id').primaryKey().default(1),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => application.id),
    tag: text('tag').notNull(),
  },
  (t) => [check('counterpart_one_row', sql`${t.id} = 1`)],
);
