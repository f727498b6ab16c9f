import { and, count, desc, eq, inArray, isNotNull } from '#drizzle';
import { EXPORTED_MAX, type ExportOf, newestOf } from '#lib/personal-data.ts';
import { partnerWallet } from '#modules/wallets';
import { toView } from './account-view.ts';
import { account } from './tables.ts';

/** The account numbers of the customer's wallets at providers' banks. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const wallets = db
    .select({ reference: partnerWallet.reference })
    .from(partnerWallet)
    .where(eq(partnerWallet.customerId, customerId));
  const isTheirs = and(inArray(account.wallet, wallets), isNotNull(account.assignedAt));
  const rows = await db.select().from(account).where(isTheirs).orderBy(desc(account.id)).limit(EXPORTED_MAX);
  const [total] = await db.select({ count: count() }).from(account).where(isTheirs);
  return newestOf(
    rows.map((row) => ({ wallet: row.wallet, ...toView(keyring, row) })),
    total?.count ?? 0,
  );
};
