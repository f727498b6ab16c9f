import { index, pgSchema, primaryKey, uuid } from '#drizzle/pg-core';
import { moment } from '#lib/postgres/columns.ts';
import { customer } from '#modules/customers';
import { partner } from '#modules/partners';

export const beneficiariesSchema = pgSchema('beneficiaries');

/** Somebody a customer has paid at a partner, until the customer removes them. No partner sees what was paid at another. */
export const beneficiary = beneficiariesSchema.table(
  'beneficiary',
  {
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    customerId: uuid('customer_id')
      .notNull()
      .references(() => customer.id),
    payeeId: uuid('payee_id')
      .notNull()
      .references(() => customer.id),
    lastPaidAt: moment('last_paid_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.partnerId, t.customerId, t.payeeId] }),
    index('beneficiary_latest').on(t.partnerId, t.customerId, t.lastPaidAt),
    index('beneficiary_payee').on(t.payeeId),
  ],
);
