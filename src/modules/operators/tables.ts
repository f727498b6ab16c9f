import { sql } from '#drizzle';
import { bigint, check, index, pgSchema, text, uniqueIndex, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { statesOf } from '#lib/state-machine.ts';
import { approvalTransitions } from './approval-status.ts';
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
    /** Covers this row (`OPERATOR` in `store.ts`); without it the token is refused. */
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

/** A session of an operator at the console, by the digest of the token in their browser. */
export const session = operatorsSchema.table(
  'session',
  {
    digest: bytes('digest').primaryKey(),
    /** Null for root, who is not stored. */
    operatorId: uuid('operator_id').references(() => operator.id),
    /** Digest of the token of the sign-in: the session ends with that token. */
    tokenDigest: bytes('token_digest').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    endedAt: moment('ended_at'),
    /** Covers this row. */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [index('operator_session_operator').on(t.operatorId), index('operator_session_expiry').on(t.expiresAt)],
);

export const approvalsSchema = pgSchema('approvals');

/** A request of one operator that another must approve before it is executed. */
export const approval = approvalsSchema.table(
  'approval',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** Method and path, as `POST /partners/:id/float`. */
    operation: text('operation').notNull(),
    status: text('status', { enum: statesOf(approvalTransitions) })
      .notNull()
      .default('PENDING'),
    /** Keyed digest of requester and input: repeated, it is the same request. */
    digest: bytes('digest').notNull(),
    /** Path and body, sealed; deleted 30 days after the end. */
    inputSealed: bytes('input_sealed'),
    /** The amount that it moves, in minor units, if any. */
    amount: bigint('amount', { mode: 'bigint' }),
    /** Operators by their id, or `root`. */
    requestedBy: text('requested_by').notNull(),
    requestedByName: text('requested_by_name').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    decidedBy: text('decided_by'),
    decidedByName: text('decided_by_name'),
    decidedAt: moment('decided_at'),
    /** Why it was rejected or failed. */
    reason: text('reason'),
    /** While APPROVED: the run that executes it, and the end of its lease. */
    runId: uuid('run_id'),
    runUntil: moment('run_until'),
    /** The answer of the operation, sealed; deleted with the input. */
    answerSealed: bytes('answer_sealed'),
    errorCode: text('error_code'),
    endedAt: moment('ended_at'),
  },
  (t) => [
    uniqueIndex('approval_pending').on(t.digest).where(sql`${t.status} = 'PENDING'`),
    index('approval_status_id').on(t.status, t.id),
    index('approval_done').on(t.digest).where(sql`${t.status} = 'EXECUTED'`),
    index('approval_kept').on(t.endedAt).where(sql`${t.inputSealed} is not null`),
    index('approval_due').on(t.expiresAt).where(sql`${t.status} = 'PENDING'`),
    check('approval_status', sql`${t.status} in ('PENDING', 'APPROVED', 'EXECUTED', 'FAILED', 'REJECTED', 'EXPIRED')`),
    check(
      'approval_four_eyes',
      sql`${t.status} not in ('APPROVED', 'EXECUTED', 'FAILED') or coalesce(${t.decidedBy} <> ${t.requestedBy}, false)`,
    ),
  ],
);
