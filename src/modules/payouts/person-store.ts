import { count, desc, eq, inArray } from '#drizzle';
import { toMajor } from '#lib/minor-units.ts';
import { EXPORTED_MAX, type ExportOf, newestOf, type OfCustomer } from '#lib/personal-data.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { prepared, preparedOne } from '#lib/postgres/prepared.ts';
import { partnerWallet } from '#modules/wallets';
import { openPayoutAccount } from './payout-account.ts';
import { payout } from './tables.ts';

/** What was paid out of the customer's wallets to bank accounts. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const [items, total] = await Promise.all([newest(db, { customerId }), countAll(db, { customerId })]);
  const exported = items.map((row) => ({
    id: row.id,
    wallet: row.wallet,
    ...openPayoutAccount(keyring, row),
    amount: toMajor(row.amount),
    state: row.state,
    createdAt: row.createdAt,
    endedAt: row.endedAt,
    reversedAt: row.reversedAt,
  }));
  return newestOf(exported, total?.count ?? 0);
};

const isTheirs = (db: Database, { customerId }: OfCustomer) =>
  inArray(
    payout.wallet,
    db
      .select({ reference: partnerWallet.reference })
      .from(partnerWallet)
      .where(eq(partnerWallet.customerId, customerId)),
  );

const newest = prepared('payouts.export', (db, given: OfCustomer) =>
  db.select().from(payout).where(isTheirs(db, given)).orderBy(desc(payout.id)).limit(EXPORTED_MAX),
);
const countAll = preparedOne('payouts.export-count', (db, given: OfCustomer) =>
  db.select({ count: count() }).from(payout).where(isTheirs(db, given)),
);
