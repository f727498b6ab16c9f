import { count, desc, eq, inArray } from '#drizzle';
import { toMajor } from '#lib/minor-units.ts';
import { EXPORTED_MAX, type ExportOf, newestOf } from '#lib/personal-data.ts';
import { partnerWallet } from '#modules/wallets';
import { openPayoutAccount } from './payout-account.ts';
import { payout } from './tables.ts';

/** What was paid out of the customer's wallets to bank accounts. */
export const exportOf: ExportOf = async ({ db, keyring }, customerId) => {
  const wallets = db
    .select({ reference: partnerWallet.reference })
    .from(partnerWallet)
    .where(eq(partnerWallet.customerId, customerId));
  const isTheirs = inArray(payout.wallet, wallets);
  const items = await db.select().from(payout).where(isTheirs).orderBy(desc(payout.id)).limit(EXPORTED_MAX);
  const [total] = await db.select({ count: count() }).from(payout).where(isTheirs);
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
