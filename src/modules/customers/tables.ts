import { sql } from '#drizzle';
import { pgSchema, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/columns.ts';
import { tag } from '#modules/tags';

export const customersSchema = pgSchema('customers');

/** A person with one BVN and at most one PayTag. What could harm them is sealed. */
export const customer = customersSchema.table('customer', {
  id: uuid('id').primaryKey().default(sql`uuidv7()`),
  tagId: uuid('tag_id')
    .unique()
    .references(() => tag.id),
  bvnSealed: bytes('bvn_sealed').notNull(),
  bvnIndex: bytes('bvn_index').notNull().unique(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  otherName: text('other_name'),
  phoneSealed: bytes('phone_sealed'),
  phoneIndex: bytes('phone_index'),
  emailSealed: bytes('email_sealed'),
  emailIndex: bytes('email_index'),
  dateOfBirthSealed: bytes('date_of_birth_sealed'),
  addressSealed: bytes('address_sealed'),
  imageUrl: text('image_url'),
  /** argon2id, PHC string. Null until onboarding completes. */
  passwordHash: text('password_hash'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});
