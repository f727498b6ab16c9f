import { sql } from '#drizzle';
import { boolean, check, index, pgSchema, primaryKey, smallint, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { partner } from '#modules/clients';
import { tag } from '#modules/tags';

export const customersSchema = pgSchema('customers');

/** A person with one BVN and at most one PayTag. What could harm them is sealed. */
export const customer = customersSchema.table(
  'customer',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    tagId: uuid('tag_id')
      .unique()
      .references(() => tag.id),
    /** Null only of a customer who was erased. */
    bvnSealed: bytes('bvn_sealed'),
    /** Null once the BVN was handed back to its owner, or the customer erased. */
    bvnIndex: bytes('bvn_index').unique(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    otherName: text('other_name'),
    /** The register holds the other name. Until then it is kept, and is no part of the name that others see. */
    isOtherNameConfirmed: boolean('is_other_name_confirmed').notNull().default(false),
    phoneSealed: bytes('phone_sealed'),
    phoneIndex: bytes('phone_index'),
    /** Since when the phone is proven: the register holds it for the BVN, or its owner gave a code that was sent there. */
    phoneProvenAt: moment('phone_proven_at'),
    emailSealed: bytes('email_sealed'),
    emailIndex: bytes('email_index'),
    emailProvenAt: moment('email_proven_at'),
    dateOfBirthSealed: bytes('date_of_birth_sealed'),
    addressSealed: bytes('address_sealed'),
    imageUrl: text('image_url'),
    /** argon2id, PHC string. Null until onboarding completes. */
    passwordHash: text('password_hash'),
    /** By the operator: no login, no code and no link until the release. */
    frozenAt: moment('frozen_at'),
    /** When the BVN was handed back to its owner. */
    bvnHandedBackAt: moment('bvn_handed_back_at'),
    /** What the books need is left of the person, and no name. */
    erasedAt: moment('erased_at'),
    /** Of a customer who was erased: their name, kept with the BVN for as long as the law has us know whose money it was. */
    keptNameSealed: bytes('kept_name_sealed'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    /** Of what a login, a payout in their name and a recovery go by (`customer-route.ts`). */
    routingMac: bytes('routing_mac').notNull(),
  },
  (t) => [
    check(
      'customer_bvn_index',
      sql`(${t.bvnIndex} is null) = (${t.bvnHandedBackAt} is not null or ${t.erasedAt} is not null)`,
    ),
    check('customer_bvn_sealed', sql`${t.bvnSealed} is not null or ${t.erasedAt} is not null`),
    check('customer_handed_back', sql`${t.bvnHandedBackAt} is null or ${t.frozenAt} is not null`),
    check('customer_kept_name', sql`${t.keptNameSealed} is null or ${t.erasedAt} is not null`),
    check(
      'customer_erased',
      sql`${t.erasedAt} is null or num_nonnulls(${t.otherName}, ${t.phoneSealed}, ${t.phoneIndex}, ${t.phoneProvenAt},
        ${t.emailSealed}, ${t.emailIndex}, ${t.emailProvenAt}, ${t.dateOfBirthSealed}, ${t.addressSealed}, ${t.imageUrl},
        ${t.passwordHash}) = 0`,
    ),
    index('customer_phone').on(t.phoneIndex),
    index('customer_ended').on(t.tagId).where(sql`(${t.frozenAt} is not null or ${t.erasedAt} is not null)`),
    index('customer_kept').on(t.erasedAt).where(sql`${t.bvnSealed} is not null and ${t.erasedAt} is not null`),
  ],
);

/** A new phone or e-mail address that a customer has confirmed, until it is in force. */
export const contactChange = customersSchema.table(
  'contact_change',
  {
    customerId: uuid('customer_id')
      .notNull()
      .references(() => customer.id),
    contact: text('contact', { enum: ['phone', 'email'] }).notNull(),
    valueSealed: bytes('value_sealed').notNull(),
    confirmedAt: moment('confirmed_at').notNull(),
    inForceAt: moment('in_force_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.contact] }),
    check('contact_change_contact', sql`${t.contact} in ('phone', 'email')`),
    index('contact_change_in_force').on(t.inForceAt),
  ],
);

export const noticesSchema = pgSchema('notices');

/** A message to a customer about what was done with their PayTag: one row for each address it goes to. */
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
