import { sql } from '#drizzle';
import { bigint, check, index, integer, pgSchema, text, unique, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { transaction } from '#modules/ledger';
import { type Difference, messageStates } from './message-state.ts';

export const inboxSchema = pgSchema('inbox');

/** What providers told us, as they said it: stored before anything is done about it, and booked from here. */
export const message = inboxSchema.table(
  'message',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    provider: text('provider').notNull(),
    /** HOOK: it was sent to us. COMPARISON: the provider's list of a day has it, and we lacked it. */
    origin: text('origin', { enum: ['HOOK', 'COMPARISON'] }).notNull(),
    /** Of the bytes: the same message that comes again is not stored again. */
    digest: bytes('digest').notNull(),
    /** The bytes; null once they are of no more use. */
    bodySealed: bytes('body_sealed'),
    /** The provider's name of what happened. */
    event: text('event'),
    kind: text('kind', { enum: ['TRANSFER', 'CHARGE', 'ACCOUNT', 'OTHER'] }),
    /** The reference of the transfer or of the payment that it tells of. */
    reference: text('reference'),
    /** As the provider says it, in minor units of `currency`. */
    amount: bigint('amount', { mode: 'bigint' }),
    currency: text('currency'),
    /** What it says has become of a transfer. */
    outcome: text('outcome', { enum: ['SUCCESSFUL', 'FAILED', 'REVERSED'] }),
    state: text('state', { enum: messageStates }).notNull().default('RECEIVED'),
    difference: text('difference').$type<Difference>(),
    /** What it was booked as. */
    transactionId: bigint('transaction_id', { mode: 'number' }).references(() => transaction.id),
    attempts: integer('attempts').notNull().default(0),
    /** When it is tried next; null: not any more. */
    dueAt: moment('due_at'),
    /** The error code of the last attempt that failed. */
    lastError: text('last_error'),
    receivedAt: moment('received_at').notNull(),
    endedAt: moment('ended_at'),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [
    unique('message_digest').on(t.provider, t.digest),
    check('message_state', sql`${t.state} in ('RECEIVED', 'DIFFERENT', 'IGNORED', 'BOOKED', 'DISMISSED')`),
    check('message_origin', sql`${t.origin} in ('HOOK', 'COMPARISON')`),
    check('message_different', sql`(${t.state} in ('DIFFERENT', 'DISMISSED')) = (${t.difference} is not null)`),
    check('message_due', sql`${t.state} <> 'RECEIVED' or ${t.dueAt} is not null`),
    check('message_ended', sql`(${t.state} in ('BOOKED', 'IGNORED', 'DISMISSED')) = (${t.endedAt} is not null)`),
    index('message_due').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index('message_kept').on(t.endedAt).where(sql`${t.bodySealed} is not null`),
    index('message_open').on(t.id).where(sql`${t.state} in ('RECEIVED', 'DIFFERENT')`),
    index('message_reference').on(t.reference).where(sql`${t.reference} is not null`),
    index('message_transaction').on(t.transactionId).where(sql`${t.transactionId} is not null`),
  ],
);
