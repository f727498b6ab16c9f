import { count, desc, eq, sql } from '#drizzle';
import { EXPORTED_MAX, type ExportOf, newestOf } from '#lib/personal-data.ts';
import { type Given, prepared, preparedOne } from '#lib/postgres/prepared.ts';
import { transaction } from '#modules/ledger';
import { accountsOfCustomer } from '#modules/wallets';
import { payment } from './tables.ts';

/** What rails said of money that came into the customer's wallets: who sent it. */
export const exportOf: ExportOf = async ({ db }, customerId) => {
  const wallets = await accountsOfCustomer(db, customerId);
  const accounts = [...wallets.keys()];
  const [found, total] = await Promise.all([newest(db, { accounts }), countAll(db, { accounts })]);
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

type IntoAccounts = Given<{ accounts: readonly number[] }>;
const isInto = ({ accounts }: IntoAccounts) => sql`${transaction.destinationId} = any(${accounts})`;

const newest = prepared('payments.export', (db, given: IntoAccounts) =>
  db
    .select({ payment, transaction })
    .from(payment)
    .innerJoin(transaction, eq(transaction.id, payment.transactionId))
    .where(isInto(given))
    .orderBy(desc(transaction.id))
    .limit(EXPORTED_MAX),
);
const countAll = preparedOne('payments.export-count', (db, given: IntoAccounts) =>
  db
    .select({ count: count() })
    .from(payment)
    .innerJoin(transaction, eq(transaction.id, payment.transactionId))
    .where(isInto(given)),
);
