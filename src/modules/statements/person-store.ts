import { desc, eq, inArray } from '#drizzle';
import { type EraseOf, EXPORTED_MAX, type ExportOf } from '#lib/personal-data.ts';
import { partnerWallet } from '#modules/wallets';
import { paper, requested } from './tables.ts';

/** The statements that the customer asked to be prepared, and those that were given out. */
export const exportOf: ExportOf = async ({ db }, customerId) => [
  ...(await db
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
    .limit(EXPORTED_MAX)),
  ...(await db
    .select({ wallet: partnerWallet.reference, from: paper.from, to: paper.to, issuedAt: paper.issuedAt })
    .from(paper)
    .innerJoin(partnerWallet, eq(partnerWallet.id, paper.walletId))
    .where(eq(partnerWallet.customerId, customerId))
    .orderBy(desc(paper.id))
    .limit(EXPORTED_MAX)),
];

/** The statements that the customer asked to be prepared, and what is kept of those that were given out. */
export const eraseOf: EraseOf = async ({ tx }, customerId) => {
  const theirs = tx
    .select({ id: partnerWallet.id })
    .from(partnerWallet)
    .where(eq(partnerWallet.customerId, customerId));
  await tx.delete(requested).where(inArray(requested.walletId, theirs));
  await tx.delete(paper).where(inArray(paper.walletId, theirs));
};
