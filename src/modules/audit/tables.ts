import { sql } from '#drizzle';
import { bigint, index, jsonb, pgSchema, text } from '#drizzle/pg-core';
import { moment } from '#lib/postgres/columns.ts';

export const auditSchema = pgSchema('audit');

/** Every change that an operator made: who, what, before, after, why. Append-only: a trigger refuses anything else. */
export const entry = auditSchema.table(
  'entry',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at').notNull().default(sql`clock_timestamp()`),
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    target: text('target').notNull(),
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    reason: text('reason'),
    /** Of the request that made the change: what the log is searched by. No part of what is sealed. */
    requestId: text('request_id'),
  },
  (t) => [
    index('audit_target').on(t.target, t.id),
    index('audit_action').on(t.action, t.id),
    // An operator's name stands behind their id.
    index('audit_actor').on(sql`split_part(${t.actor}, ' ', 1)`, t.id),
    index('audit_at').on(t.at, t.id),
    index('audit_request').on(t.requestId, t.id).where(sql`${t.requestId} is not null`),
  ],
);
