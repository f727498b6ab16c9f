import { type SQL, sql } from '#drizzle';
import type { Database, Executor } from '#lib/database.ts';
import { type Transact, wakeAfterCommit } from '#lib/transact.ts';

/**
 * Pays a pending refund out of the suspense account into its wallet, if the wallet takes it now. The credit
 * is published to the partner.
 *
 * @returns false when nothing was done: the wallet does not take it, it is not pending, or another session is settling it
 */
export async function settlePendingRefund(db: Executor, transactionId: number, now?: Date): Promise<boolean> {
  return (await settle(db, sql`t.id = ${transactionId}`, now)) === 1;
}

/**
 * Settles every pending refund to an account that takes them now. The transaction that makes the account take money again
 * can call it too: it waits for no refund that another session is settling.
 *
 * @returns how many were settled
 */
export async function settlePendingRefundsTo(db: Executor, account: number, now?: Date): Promise<number> {
  return settle(db, sql`t.destination_id = ${account}`, now);
}

/**
 * Settles the pending refunds to all accounts that take them now, at most `limit` of them, each in a transaction of its own.
 *
 * @returns how many were settled
 */
export async function settlePendingRefunds(
  { db, transact }: { db: Database; transact: Transact },
  limit: number,
  now?: Date,
): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select t.id from ledger.transaction t join ledger.account a on a.id = t.destination_id
    where t.status = 'Pending' and a.status not in ('Blocked', 'PNC') order by t.id limit ${limit}`);
  let settled = 0;
  for (const { id } of rows) if (await transact((tx) => settlePendingRefund(tx, Number(id), now))) settled += 1;
  return settled;
}

/** True while a refund to this account is pending. */
export async function hasPendingRefunds(db: Executor, account: number): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select 1 from ledger.transaction where destination_id = ${account} and status = 'Pending' limit 1`,
  );
  return rows.length > 0;
}

async function settle(db: Executor, which: SQL, now: Date | undefined): Promise<number> {
  const { rows } = await db.execute<{ status: string }>(sql`
    select ledger.settle_pending(t.id, p_now => ${now?.toISOString() ?? null}::timestamptz) as status
    from ledger.transaction t
    where t.status = 'Pending' and ${which} order by t.id`);
  const settled = rows.filter(({ status }) => status !== 'Pending').length;
  if (settled > 0) wakeAfterCommit(db);
  return settled;
}
