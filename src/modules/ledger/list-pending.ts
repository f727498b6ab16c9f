import { and, eq, gte, lt, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Database, Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk, type Walk } from '#lib/postgres/lists.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { TransactionRow } from './history.ts';
import { asMinor, type Currency, type Minor } from './money.ts';
import type { PendingReason, TransactionType } from './posting.ts';
import { type Refusal, toRefusal } from './refusals.ts';
import { account, entry, transaction } from './tables.ts';

export interface PendingFilter {
  partnerId?: string | undefined;
  reason?: PendingReason | undefined;
  type?: TransactionType | undefined;
  currency?: Currency | undefined;
  /** What waits: at least, and at most. */
  amountFrom?: Minor | undefined;
  amountTo?: Minor | undefined;
  /** Since then or later, and since before. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A transaction that waits, with what of it is in suspense, and the account that it is meant for. */
export interface Pending {
  transaction: TransactionRow;
  amount: Minor;
  reason: PendingReason;
  destination: { kind: string; reference: string };
}

const row = alias(transaction, 'x');

/** Looked up for each row that is walked over. */
const waiting = sql`(select e.amount from ledger.entry e join ledger.account s on s.id = e.account_id and s.kind = 'SUSPENSE'
  where e.transaction_id = ${row.id} order by e.leg limit 1)`;

/** What waits in suspense, the oldest first. `count` is of all that match. */
export async function listPending(
  db: Database,
  { limit, offset, cursor, isUncounted, ...filter }: PendingFilter & PageRequest<number>,
): Promise<Listed<Pending, number>> {
  const matches = and(
    filter.partnerId === undefined ? undefined : eq(row.partnerId, filter.partnerId),
    filter.reason === undefined ? undefined : eq(row.pendingReason, filter.reason),
    filter.type && eq(row.type, filter.type),
    filter.currency && eq(row.currency, filter.currency),
    filter.amountFrom === undefined ? undefined : sql`${waiting} >= ${filter.amountFrom}`,
    filter.amountTo === undefined ? undefined : sql`${waiting} <= ${filter.amountTo}`,
    filter.from && gte(row.createdAt, filter.from),
    filter.to && lt(row.createdAt, filter.to),
  );
  const walk: Walk = {
    name: 'suspense',
    filter,
    table: transaction,
    row,
    key: row.id,
    isAscending: true,
    within: sql`${row.status} = 'Pending'`,
    matches,
  };
  const { items, ...found } = await pageOfWalk(
    db,
    walk,
    { limit, offset, cursor, isUncounted },
    { rows: (keys) => selectPending(db, keys), keyOf: ({ transaction: { id } }) => id },
  );
  return { ...found, items: items.flatMap(toPending) };
}

const suspense = alias(account, 's');

function selectPending(db: Database, keys: SQL) {
  const { kind, reference } = account;
  return db
    .select({ transaction, amount: entry.amount, destination: { kind, reference } })
    .from(transaction)
    .innerJoin(account, eq(account.id, transaction.destinationId))
    .innerJoin(entry, eq(entry.transactionId, transaction.id))
    .innerJoin(suspense, and(eq(suspense.id, entry.accountId), eq(suspense.kind, 'SUSPENSE')))
    .where(sql`${transaction.id} in (${keys})`)
    .orderBy(transaction.id);
}

function toPending({ amount, ...one }: Awaited<ReturnType<typeof selectPending>>[number]): Pending[] {
  const { pendingReason: reason } = one.transaction;
  return reason === null ? [] : [{ ...one, amount: asMinor(amount), reason }];
}

/** Why an account does not take what a transaction has in suspense. */
export async function parkingReasonOf(
  db: Executor,
  { transactionId, account: destination }: { transactionId: number; account: number },
): Promise<Refusal> {
  const [found] = await parkingReason(db, [transactionId, destination]);
  return toRefusal(found?.reason ?? 'ACCOUNT_NOT_FOUND');
}

const parkingReason = preparedText<{ reason: string | null }>(
  'ledger.parking-reason',
  `select ledger.parking_reason(a, e.amount, t.currency, true) as reason from ledger.transaction t
     join ledger.entry e on e.transaction_id = t.id
     join ledger.account s on s.id = e.account_id and s.kind = 'SUSPENSE'
     join ledger.account a on a.id = $2
   where t.id = $1`,
);
