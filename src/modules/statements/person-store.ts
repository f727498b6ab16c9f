import { desc, eq, inArray } from '#drizzle';
import { type EraseOf, EXPORTED_MAX, type ExportOf } from '#lib/personal-data.ts';
import { partnerWallet } from '#modules/wallets';
import { requested } from './tables.ts';

/** The statements that the customer asked to be prepared. */
export const exportOf: ExportOf = async ({ db }, customerId) =>
  db
    .select({
      reference: requested.reference,
      wallet: partnerWallet.reference,
      from: requested.from,
      to: requested.to,
      format: requested.format,
      status: requested.status,
      requestedAt: requested.createdAt,
      mailedAt: requested.mailedAt,
    })
    .from(requested)
    .innerJoin(partnerWallet, eq(partnerWallet.id, requested.walletId))
    .where(eq(partnerWallet.customerId, customerId))
    .orderBy(desc(requested.id))
    .limit(EXPORTED_MAX);

/** The statements that the customer asked to be prepared. */
export const eraseOf: EraseOf = async ({ tx }, customerId) => {
  const theirs = tx
    .select({ id: partnerWallet.id })
    .from(partnerWallet)
    .where(eq(partnerWallet.customerId, customerId));
  await tx.delete(requested).where(inArray(requested.walletId, theirs));
};
