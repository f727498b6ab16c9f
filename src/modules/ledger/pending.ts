import { and, eq, gte, lt, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import { countOfWaiting, type Listed, type PageRequest, pageOfWalk, type Walk } from '#lib/postgres/lists.ts';
import { type Prepared, preparedText } from '#lib/postgres/prepared.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import type { TransactionRow } from './find-transaction.ts';
import { asMinor, type Currency, type Minor } from './money.ts';
import { type PendingReason, type Refusal, type TransactionType, toRefusal } from './posting.ts';
import { account, entry, transaction } from './tables.ts';

/**
 * Publishes further events of transactions that have just been settled, in the same database transaction. The ledger itself
 * publishes the wallet's movement.
 */
export type AfterSettling = (tx: Tx, transactionIds: readonly number[]) => Promise<void>;

interface Settling {
  afterSettling: AfterSettling;
  /** For tests; absent: the clock. */
  now?: Date | undefined;
}

/**
 * Pays a pending transaction from suspense into its destination, if the reason for suspense is gone.
 *
 * @returns false when nothing was done: the reason still holds, it is not pending, or another session is settling it
 */
export async function settlePending(tx: Tx, transactionId: number, settling: Settling): Promise<boolean> {
  return (await settle(tx, settleOne, transactionId, settling)) === 1;
}

/**
 * Settles all pending transactions that an account can take now. The transaction that unblocks the account may call it too: it
 * skips what another session is settling.
 *
 * @returns how many were settled
 */
export async function settlePendingTo(tx: Tx, accountId: number, settling: Settling): Promise<number> {
  return settle(tx, settleTo, accountId, settling);
}

type SettleStatement = Prepared<unknown[], { id: string; status: string }[]>;

const settlingBy = (name: string, which: string): SettleStatement =>
  preparedText(
    name,
    `select t.id, ledger.settle_pending(t.id, p_now => $2::timestamptz) as status from ledger.transaction t
      where t.status = 'Pending' and ${which} = $1 order by t.id`,
    { writes: true },
  );

const settleOne = settlingBy('ledger.settle', 't.id');

const settleTo = settlingBy('ledger.settle-to', 't.destination_id');

async function settle(
  tx: Tx,
  statement: SettleStatement,
  of: number,
  { afterSettling, now }: Settling,
): Promise<number> {
  const rows = await statement(tx, [of, now ?? null]);
  const settled = rows.filter(({ status }) => status !== 'Pending').map(({ id }) => Number(id));
  if (settled.length > 0) {
    await afterSettling(tx, settled);
    wakeAfterCommit(tx);
  }
  return settled.length;
}

/**
 * Pays a pending transaction from suspense into an account of the caller's choice. The caller has locked the transaction
 * (`lockTransaction`).
 *
 * @returns the status of the transaction: still Pending when this account cannot take it now
 */
export async function settlePendingInto(
  tx: Tx,
  { transactionId, account: accountId, afterSettling }: { transactionId: number; account: number } & Settling,
): Promise<string> {
  const [settled] = await settleInto(tx, [transactionId, accountId]);
  const status = settled?.status ?? 'Pending';
  if (status === 'Pending') return status;
  await afterSettling(tx, [transactionId]);
  wakeAfterCommit(tx);
  return status;
}

const settleInto = preparedText<{ status: string }>(
  'ledger.settle-into',
  'select ledger.settle_pending($1, $2) as status',
  { writes: true },
);

/**
 * Settles at most `limit` pending transactions whose reason is gone, each in a database transaction of its own.
 *
 * @returns how many were settled
 */
export async function settleDue(
  { db, transact, afterSettling }: { db: Database; transact: Transact; afterSettling: AfterSettling },
  limit: number,
  now?: Date,
): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select t.id from ledger.transaction t
      join ledger.account a on a.id = t.destination_id
      join ledger.entry e on e.transaction_id = t.id
      join ledger.account s on s.id = e.account_id and s.kind = 'SUSPENSE'
    where t.status = 'Pending' and t.pending_reason in ('WALLET_BLOCKED', 'WALLET_PNC', 'BALANCE_EXCEEDED')
      and ledger.parking_reason(a, e.amount, t.currency, true) is null
    order by t.id limit ${limit}`);
  let settled = 0;
  for (const { id } of rows) {
    if (await transact((tx) => settlePending(tx, Number(id), { afterSettling, now }))) settled += 1;
  }
  return settled;
}

/** True while a pending transaction of this account will settle without an operator. */
export async function hasPending(db: Executor, accountId: number): Promise<boolean> {
  return (await firstPending(db, [accountId])).length > 0;
}

const firstPending = preparedText(
  'ledger.has-pending',
  `select 1 from ledger.transaction where destination_id = $1 and status = 'Pending'
    and pending_reason in ('WALLET_BLOCKED', 'WALLET_PNC', 'BALANCE_EXCEEDED') limit 1`,
);

/** The balances of more accounts are not added up. */
const HELD_BY_MAX = 10_000;

/**
 * The balances of a partner's accounts, its float included, or of these accounts, in all currencies together (`held`), and the
 * money in suspense for them that will settle without an operator (`waits`). Minor units. Undefined for more than 10,000 accounts.
 */
export async function moneyBehind(
  db: Executor,
  of: { partnerId: string } | { accounts: readonly number[] },
): Promise<{ held: Minor; waits: Minor } | undefined> {
  const [found] = await ('partnerId' in of
    ? behindPartner(db, [of.partnerId, HELD_BY_MAX + 1])
    : behindAccounts(db, [of.accounts, HELD_BY_MAX + 1]));
  if (found === undefined || found.accounts > HELD_BY_MAX) return undefined;
  return { held: asMinor(BigInt(found.held)), waits: asMinor(BigInt(found.waits)) };
}

const behind = (name: string, which: string) =>
  preparedText<{ accounts: number; held: string; waits: string }>(
    name,
    `with own as materialized (select id, posted from ledger.account where ${which} limit $2)
     select (select count(*) from own)::int as accounts, (select coalesce(sum(greatest(posted, 0)), 0) from own)::text as held,
       (select coalesce(sum(e.amount), 0) from own
          join ledger.transaction t on t.destination_id = own.id and t.status = 'Pending'
            and t.pending_reason in ('WALLET_BLOCKED', 'WALLET_PNC', 'BALANCE_EXCEEDED')
          join ledger.entry e on e.transaction_id = t.id and e.amount > 0
          join ledger.account s on s.id = e.account_id and s.kind = 'SUSPENSE')::text as waits`,
  );

const behindPartner = behind('ledger.behind-partner', 'partner_id = $1');

const behindAccounts = behind('ledger.behind-accounts', 'id = any((select $1::bigint[])::bigint[])');

/** How many pending transactions this account pays or receives: their money may yet come to it. */
export async function countPendingAbout(db: Executor, accountId: number): Promise<number> {
  const [row] = await pendingAbout(db, [accountId]);
  return row?.count ?? 0;
}

const pendingAbout = preparedText<{ count: number }>(
  'ledger.pending-about',
  `select count(*)::int as count from ledger.transaction
    where status = 'Pending' and (destination_id = $1 or source_id = $1)`,
);

/** The account into which a pending transaction was settled: that of its last entry. */
export async function settledAccountOf(db: Executor, transactionId: number): Promise<number> {
  const [found] = await selectLastAccount(db, [transactionId]);
  if (found === undefined) throw new Error(`transaction ${transactionId} has no entries`);
  return Number(found.account);
}

const selectLastAccount = preparedText<{ account: string }>(
  'ledger.settled-account',
  'select account_id as account from ledger.entry where transaction_id = $1 order by leg desc limit 1',
);

export interface PendingFilter {
  partnerId?: string | undefined;
  reason?: PendingReason | undefined;
  type?: TransactionType | undefined;
  currency?: Currency | undefined;
  /** The amount in suspense: at least, and at most. */
  amountFrom?: Minor | undefined;
  amountTo?: Minor | undefined;
  /** Since then or later, and since before. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A pending transaction, its amount in suspense and its destination. */
export interface Pending {
  transaction: TransactionRow;
  amount: Minor;
  reason: PendingReason;
  destination: { kind: string; reference: string };
}

const row = alias(transaction, 'x');

/** Looked up for each row of the walk. */
const amountInSuspense = sql`(select e.amount from ledger.entry e join ledger.account s on s.id = e.account_id and s.kind = 'SUSPENSE'
  where e.transaction_id = ${row.id} order by e.leg limit 1)`;

/** The pending transactions, oldest first. `count` is of all that match. */
export async function listPending(
  db: Database,
  { limit, offset, cursor, isUncounted, ...filter }: PendingFilter & PageRequest<number>,
): Promise<Listed<Pending, number>> {
  const matches = and(
    filter.partnerId === undefined ? undefined : eq(row.partnerId, filter.partnerId),
    filter.reason === undefined ? undefined : eq(row.pendingReason, filter.reason),
    filter.type && eq(row.type, filter.type),
    filter.currency && eq(row.currency, filter.currency),
    filter.amountFrom === undefined ? undefined : sql`${amountInSuspense} >= ${filter.amountFrom}`,
    filter.amountTo === undefined ? undefined : sql`${amountInSuspense} <= ${filter.amountTo}`,
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

/** Why an account cannot take a pending transaction. */
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

/** Counts pending transactions and the age of the oldest. */
export const countPendingTransactions = countOfWaiting(
  'ledger.pending',
  `select created_at as at from ledger.transaction where status = 'Pending'`,
);
