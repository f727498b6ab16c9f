import { sql } from '#drizzle';
import type { Database, Executor, Tx } from '#lib/postgres/executor.ts';
import { type Prepared, preparedText } from '#lib/postgres/prepared.ts';
import { type Transact, wakeAfterCommit } from '#lib/postgres/transact.ts';
import { asMinor, type Minor } from './money.ts';

/**
 * What is to be told of transactions that have just been settled, in the same database transaction, besides the movement of
 * the wallet, which the ledger tells itself.
 */
export type AfterSettling = (tx: Tx, transactionIds: readonly number[]) => Promise<void>;

interface Settling {
  afterSettling: AfterSettling;
  /** For tests; absent: the clock. */
  now?: Date | undefined;
}

/**
 * Pays what a pending transaction has in suspense into the account that it is meant for, if the reason for which it waits
 * has gone.
 *
 * @returns false when nothing was done: it still waits, it is not pending, or another session is settling it
 */
export async function settlePending(tx: Tx, transactionId: number, settling: Settling): Promise<boolean> {
  return (await settle(tx, settleOne, transactionId, settling)) === 1;
}

/**
 * Settles everything that waits for an account and that it takes now. The transaction that makes the account take money
 * again can call it too: it waits for nothing that another session is settling.
 *
 * @returns how many were settled
 */
export async function settlePendingTo(tx: Tx, account: number, settling: Settling): Promise<number> {
  return settle(tx, settleTo, account, settling);
}

/**
 * Pays what a pending transaction has in suspense into an account of the caller's choice, whatever it waits for. The caller
 * has locked the transaction (`lockTransaction`).
 *
 * @returns the status of the transaction: still Pending when this account does not take it now
 */
export async function settlePendingInto(
  tx: Tx,
  { transactionId, account, afterSettling }: { transactionId: number; account: number } & Settling,
): Promise<string> {
  const [settled] = await settleInto(tx, [transactionId, account]);
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
 * Settles what waits for a reason that has gone, at most `limit` transactions, each in a database transaction of its own.
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

/** True while something waits for this account that will come to it by itself. */
export async function hasPending(db: Executor, account: number): Promise<boolean> {
  return (await firstPending(db, [account])).length > 0;
}

const firstPending = preparedText(
  'ledger.has-pending',
  `select 1 from ledger.transaction where destination_id = $1 and status = 'Pending'
    and pending_reason in ('WALLET_BLOCKED', 'WALLET_PNC', 'BALANCE_EXCEEDED') limit 1`,
);

/** Of more accounts than that what they hold is not added up. */
const HELD_BY_MAX = 10_000;

/**
 * What stands in the accounts of a partner, its float among them, or in these accounts, in all currencies together: `held`, and what
 * `waits` in suspense for them and will come by itself. Minor units. Undefined where they are more than 10,000.
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

/** How many transactions wait for this account or came from it, for whatever reason: they may yet come back to it. */
export async function countPendingAbout(db: Executor, account: number): Promise<number> {
  const [row] = await pendingAbout(db, [account]);
  return row?.count ?? 0;
}

const pendingAbout = preparedText<{ count: number }>(
  'ledger.pending-about',
  `select count(*)::int as count from ledger.transaction
    where status = 'Pending' and (destination_id = $1 or source_id = $1)`,
);

/** The account into which a transaction that had waited was settled: its last entry says so. */
export async function settledAccountOf(db: Executor, transactionId: number): Promise<number> {
  const [found] = await selectLastAccount(db, [transactionId]);
  if (found === undefined) throw new Error(`transaction ${transactionId} has no entries`);
  return Number(found.account);
}

const selectLastAccount = preparedText<{ account: string }>(
  'ledger.settled-account',
  'select account_id as account from ledger.entry where transaction_id = $1 order by leg desc limit 1',
);

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
