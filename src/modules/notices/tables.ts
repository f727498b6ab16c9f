import { sql } from '#drizzle';
import { check, index, pgSchema, smallint, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { customer } from '#modules/customers';
import { partner } from '#modules/partners';

export const noticesSchema = pgSchema('notices');

/** A message that tells a customer what was done with their PayTag: one row for each address it goes to. */
export const notice = noticesSchema.table(
  'notice',
  {
    id: uuid('id').primaryKey(),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => customer.id),
    /** Through whom it was done. */
    partnerId: uuid('partner_id').references(() => partner.id),
    kind: text('kind', {
      enum: [
        'CREATED',
        'LINKED',
        'FIRST_LOGIN',
        'PASSWORD_RESET',
        'CONTACT_CHANGE',
        'CONTACT_CHANGE_CANCELLED',
        'RELEASED',
      ],
    }).notNull(),
    channel: text('channel', { enum: ['sms', 'email'] }).notNull(),
    /** The address, proven when it was done. Dropped once the message is sent or given up. */
    recipientSealed: bytes('recipient_sealed'),
    /** Of a change: the new contact, masked, and when it comes into force. */
    detail: text('detail'),
    happenedAt: moment('happened_at').notNull(),
    /** How often a worker claimed it. */
    attempts: smallint('attempts').notNull().default(0),
    /** When a worker may claim it; while one has it, when that worker counts as dead. Null: nothing is left to do. */
    dueAt: moment('due_at'),
    sentAt: moment('sent_at'),
  },
  (t) => [
    check(
      'notice_kind',
      sql`${t.kind} in ('CREATED', 'LINKED', 'FIRST_LOGIN', 'PASSWORD_RESET', 'CONTACT_CHANGE', 'CONTACT_CHANGE_CANCELLED', 'RELEASED')`,
    ),
    check('notice_channel', sql`${t.channel} in ('sms', 'email')`),
    check('notice_due', sql`(${t.dueAt} is null) = (${t.recipientSealed} is null)`),
    index('notice_due_at').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index('notice_customer').on(t.customerId, t.happenedAt),
    index('notice_happened').on(t.happenedAt),
  ],
);
