import { and, count, desc, eq, inArray, isNotNull } from '#drizzle';
import { EXPORTED_MAX, type ExportOf, newestOf, type OfCustomer } from '#lib/personal-data.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { prepared, preparedOne } from '#lib/postgres/prepared.ts';
import { partnerWallet } from '#modules/wallets';
import { toView } from './account-view.ts';
import { account } from './tables.ts';

/** The account numbers of the customer's wallets at providers' banks. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const [rows, total] = await Promise.all([newest(db, { customerId }), countAll(db, { customerId })]);
  return newestOf(
    rows.map((row) => ({ wallet: row.wallet, ...toView(keyring, row) })),
    total?.count ?? 0,
  );
};

function isTheirs(db: Database, { customerId }: OfCustomer) {
  const wallets = db
    .select({ reference: partnerWallet.reference })
    .from(partnerWallet)
    .where(eq(partnerWallet.customerId, customerId));
  return and(inArray(account.wallet, wallets), isNotNull(account.assignedAt));
}

const newest = prepared('inbound-accounts.export', (db, given: OfCustomer) =>
  db.select().from(account).where(isTheirs(db, given)).orderBy(desc(account.id)).limit(EXPORTED_MAX),
);
const countAll = preparedOne('inbound-accounts.export-count', (db, given: OfCustomer) =>
  db.select({ count: count() }).from(account).where(isTheirs(db, given)),
);
