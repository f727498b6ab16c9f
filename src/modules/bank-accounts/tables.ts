import { pgSchema, primaryKey, text, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { customer } from '#modules/customers';
import { partner } from '#modules/partners';

export const bankAccountsSchema = pgSchema('bank_accounts');

/** The bank account that a customer linked to their wallet at a partner. One at a time: another takes its place. */
export const linkedAccount = bankAccountsSchema.table(
  'linked_account',
  {
    customerId: uuid('customer_id')
      .notNull()
      .references(() => customer.id),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    bankCode: text('bank_code').notNull(),
    bankName: text('bank_name').notNull(),
    accountNumberSealed: bytes('account_number_sealed').notNull(),
    /** Of bank code and account number: the same account is recognised by it. */
    accountIndex: bytes('account_index').notNull(),
    /** As the bank writes it. */
    accountNameSealed: bytes('account_name_sealed').notNull(),
    linkedAt: moment('linked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.partnerId] })],
);
