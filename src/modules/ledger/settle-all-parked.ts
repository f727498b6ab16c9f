import { sql } from '#drizzle';
import type { Database } from '#lib/database.ts';
import type { Transact } from '#lib/transact.ts';
import { settleParked } from './settle-parked.ts';

/**
 * Brings parked refunds to the wallets that take them now, at most `limit` of them, each in a transaction of its own.
 *
 * @returns how many
 */
export async function settleAllParked(
  { db, transact }: { db: Database; transact: Transact },
  limit: number,
  now?: Date,
): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select t.id from ledger.transaction t join ledger.account a on a.id = t.destination_id
    where t.status = 'Pending' and a.status not in ('Blocked', 'PNC') order by t.id limit ${limit}`);
  let settled = 0;
  for (const { id } of rows) if (await transact((tx) => settleParked(tx, Number(id), now))) settled += 1;
  return settled;
}
