import { sql } from '#drizzle';
import { bigint, check, index, jsonb, pgSchema, smallint, text, uuid } from '#drizzle/pg-core';
import { moment } from '#lib/columns.ts';
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
