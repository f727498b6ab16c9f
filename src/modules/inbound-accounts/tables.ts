import { sql } from '#drizzle';
import { check, index, pgSchema, text, unique, uuid } from '#drizzle/pg-core';
import { bytes, moment } from '#lib/postgres/columns.ts';
import { partner } from '#modules/partners';
import { partnerWallet } from '#modules/wallets';

export const inboundAccountsSchema = pgSchema('inbound_accounts');

/** An account number of a wallet at a provider's bank; without a number while it is asked for. */
export const account = inboundAccountsSchema.table(
  'account',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** The reference of the wallet. */
    wallet: text('wallet')
      .notNull()
      .references(() => partnerWallet.reference),
    partnerId: uuid('partner_id')
      .notNull()
      .references(() => partner.id),
    provider: text('provider').notNull(),
    accountNumberSealed: bytes('account_number_sealed'),
    /** Of provider and account number: what is paid to it is found by it. */
    accountIndex: bytes('account_index'),
    /** As whoever pays to it sees it. */
    accountNameSealed: bytes('account_name_sealed'),
    bankName: text('bank_name'),
    bankCode: text('bank_code'),
    /** Until then whoever asks the provider for it is alone. */
    leasedUntil: moment('leased_until').notNull(),
    createdAt: moment('created_at').notNull(),
    assignedAt: moment('assigned_at'),
  },
  (t) => [
    unique('account_wallet').on(t.wallet, t.provider),
    unique('account_number').on(t.accountIndex),
    check(
      'account_assigned',
      sql`num_nonnulls(${t.accountNumberSealed}, ${t.accountIndex}, ${t.accountNameSealed}, ${t.bankName}, ${t.bankCode}, ${t.assignedAt}) in (0, 6)`,
    ),
    index('account_partner').on(t.partnerId, t.id),
  ],
);
