import { sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { wakeAfterCommit } from '#lib/transact.ts';

/**
 * Brings a parked refund to its wallet, when the wallet takes it now; the partner is told of the credit.
 *
 * @returns false when there was nothing to do: the wallet does not take it, it is not parked (any more), or somebody else
 *   is at it
 */
export async function settleParked(db: Executor, transactionId: number, now?: Date): Promise<boolean> {
  return (await settle(db, sql`t.id = ${transactionId}`, now)) === 1;
}

/**
 * Brings every parked refund of an account there, when it takes them now. The transaction that makes the account
 * creditable again can call it too: it waits for no refund that somebody else is at.
 *
 * @returns how many
 */
export async function settleParkedOf(db: Executor, account: number, now?: Date): Promise<number> {
  return settle(db, sql`t.destination_id = ${account}`, now);
}

/** True while refunds of an account are parked. */
export async function hasParked(db: Executor, account: number): Promise<boolean> {
  const { rows } = await db.execute(
    sql`select 1 from ledger.transaction where destination_id = ${account} and status = 'Pending' limit 1`,
  );
  return rows.length > 0;
}

async function settle(db: Executor, which: ReturnType<typeof sql>, now: Date | undefined): Promise<number> {
  const { rows } = await db.execute<{ status: string }>(sql`
    select ledger.settle_parked(t.id, s.id, ${now?.toISOString() ?? null}::timestamptz) as status
    from ledger.transaction t join ledger.account s on s.kind = 'SUSPENSE' and s.currency = t.currency
    where t.status = 'Pending' and ${which} order by t.id`);
  const settled = rows.filter(({ status }) => status !== 'Pending').length;
  if (settled > 0) wakeAfterCommit(db);
  return settled;
}
