import { and, eq, gte, lt, ne, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { ALL_PARTNERS, systemAccount, transaction } from '#modules/ledger';
import { split, terminal } from '#modules/terminals';
import { payment } from './tables.ts';

/** Stores what the rails said of a payment. */
export async function insertPayment(tx: Tx, values: typeof payment.$inferInsert): Promise<void> {
  await add(tx, values, {});
}

const add = preparedColumns('payments.add', payment, (db, written: Written<typeof payment.$inferInsert>) =>
  db.insert(payment).values(written),
);

/** The senders of those of these transactions that are payments. */
export const selectSenders = async (db: Executor, transactionIds: readonly number[]) => senders(db, { transactionIds });

type OfTransactions = Given<{ transactionIds: readonly number[] }>;
const isOf = ({ transactionIds }: OfTransactions) => sql`${payment.transactionId} = any(${transactionIds})`;

const senders = prepared('payments.senders', (db, given: OfTransactions) => {
  const { transactionId, senderName, senderPaytag } = payment;
  return db.select({ transactionId, senderName, senderPaytag }).from(payment).where(isOf(given));
});

/** What the rails said of those of these transactions that are payments. */
export const selectReports = async (db: Executor, transactionIds: readonly number[]) => reports(db, { transactionIds });

const reports = prepared('payments.reports', (db, given: OfTransactions) =>
  db
    .select({ payment, terminal: terminal.serialNumber, split: split.reference })
    .from(payment)
    .leftJoin(terminal, eq(terminal.id, payment.terminalId))
    .leftJoin(split, eq(split.id, payment.splitId))
    .where(isOf(given)),
);

/** What was posted for those of these transactions that are payments, with what the rails said of them. */
export const selectPayments = async (db: Executor, transactionIds: readonly number[]) =>
  payments(db, { transactionIds });

const payments = prepared('payments.of-transactions', (db, given: OfTransactions) =>
  db
    .select({ transaction, payment })
    .from(payment)
    .innerJoin(transaction, eq(transaction.id, payment.transactionId))
    .where(isOf(given))
    .orderBy(transaction.id),
);

/** Makes all others who report under this reference for this partner wait until this transaction ends. */
export async function lockReport(tx: Tx, partnerId: string, reference: string): Promise<void> {
  const name = `payments.report:${partnerId}:${reference}`;
  await lockName(tx, [name]);
}

const lockName = preparedText('payments.lock-report', 'select pg_advisory_xact_lock(hashtextextended($1, 0))', {
  writes: true,
});

/** A transfer that was booked. */
export interface FoundInbound {
  id: number;
  /** Minor units. */
  amount: bigint;
  /** The account it came from: of the rail that brought it. */
  sourceId: number | null;
  /** The account of the wallet that it was for. */
  destinationId: number | null;
}

/** What was booked as an inbound transfer under our reference of it. */
export const selectInbound = preparedOne('payments.inbound', (db, given: Given<{ reference: string }>) =>
  db
    .select({
      id: transaction.id,
      amount: transaction.amount,
      sourceId: transaction.sourceId,
      destinationId: transaction.destinationId,
    })
    .from(transaction)
    .where(
      and(
        eq(transaction.ownerId, ALL_PARTNERS),
        eq(transaction.namer, 'RAIL'),
        eq(transaction.reference, given.reference),
        ne(transaction.status, 'Failed'),
      ),
    ),
);

/** Inbound transfers that providers collected between two moments: the provider's reference and the amount. */
export const selectCollectedBetween = prepared(
  'payments.collected-between',
  (db, given: Given<{ from: Date; until: Date }>) =>
    db
      .select({ reference: transaction.externalReference, amount: transaction.amount })
      .from(transaction)
      .where(
        and(
          eq(transaction.sourceId, systemAccount('CLEARING_COLLECTION', 'NGN')),
          eq(transaction.type, 'INBOUND'),
          gte(transaction.createdAt, given.from),
          lt(transaction.createdAt, given.until),
          ne(transaction.status, 'Failed'),
        ),
      ),
);

/** Who has given these references for this partner. */
export async function selectNamers(tx: Tx, partnerId: string, references: readonly string[]) {
  return namersOf(tx, { partnerId, references });
}

const namersOf = prepared('payments.namers', (db, given: Given<{ partnerId: string; references: readonly string[] }>) =>
  db
    .select({ namer: transaction.namer, reference: transaction.reference })
    .from(transaction)
    .where(and(eq(transaction.ownerId, given.partnerId), sql`${transaction.reference} = any(${given.references})`)),
);
