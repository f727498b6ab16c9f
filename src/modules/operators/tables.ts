import { sql } from '#drizzle';
import { check, index, pgSchema, text, uniqueIndex, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { roles } from './roles.ts';

export const operatorStatuses = ['ACTIVE', 'DISABLED'] as const;

export const operatorsSchema = pgSchema('operators');

/** A person who operates the server, and the digest of their one token. */
export const operator = operatorsSchema.table(
  'operator',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** Never changed: audit entries show it. */
    name: text('name').notNull(),
    role: text('role', { enum: roles }).notNull(),
    status: text('status', { enum: operatorStatuses }).notNull().default('ACTIVE'),
    tokenDigest: bytes('token_digest').notNull().unique(),
    tokenExpiresAt: moment('token_expires_at').notNull(),
    /** The server's word for this row (operator-mac.ts); without it the token opens nothing. */
    routingMac: bytes('routing_mac'),
    /** To the minute. */
    lastUsedAt: moment('last_used_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('operator_name').on(sql`lower(${t.name})`),
    check('operator_role', sql`${t.role} in ('viewer', 'support', 'finance', 'admin')`),
    check('operator_status', sql`${t.status} in ('ACTIVE', 'DISABLED')`),
  ],
);

/** That an operator is signed in at the console, by the digest of what their browser keeps. */
export const session = operatorsSchema.table(
  'session',
  {
    digest: bytes('digest').primaryKey(),
    /** Null for root, who is not stored. */
    operatorId: uuid('operator_id').references(() => operator.id),
    /** Of the token that they signed in with: when it is not theirs any more, this has ended. */
    tokenDigest: bytes('token_digest').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    endedAt: moment('ended_at'),
    /** The server's word for this row, as an operator has one. */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [index('operator_session_operator').on(t.operatorId), index('operator_session_expiry').on(t.expiresAt)],
);
