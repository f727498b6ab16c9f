import { count, desc, eq, inArray } from '#drizzle';
import { EXPORTED_MAX, type ExportOf, newestOf } from '#lib/personal-data.ts';
import { transaction } from '#modules/ledger';
import { accountsOfCustomer } from '#modules/wallets';
import { payment } from './tables.ts';

/** What rails said of money that came into the customer's wallets: who sent it. */
export const exportOf: ExportOf = async ({ db }, customerId) => {
  const wallets = await accountsOfCustomer(db, customerId);
  const isTheirs = inArray(transaction.destinationId, [...wallets.keys()]);
  const found = await db
    .select({ payment, transaction })
    .from(payment)
    .innerJoin(transaction, eq(transaction.id, payment.transactionId))
    .where(isTheirs)
    .orderBy(desc(transaction.id))
    .limit(EXPORTED_MAX);
  const [total] = await db
    .select({ count: count() })
    .from(payment)
    .innerJoin(transaction, eq(transaction.id, payment.transactionId))
    .where(isTheirs);
  const exported = found.map(({ payment: { senderName, senderPaytag, senderType }, transaction: of }) => ({
    reference: of.reference,
    type: of.type,
    wallet: wallets.get(Number(of.destinationId)),
    senderName,
    senderPayTag: senderPaytag,
    senderType,
    createdAt: of.createdAt,
  }));
  return newestOf(exported, total?.count ?? 0);
};
