import { desc, eq, type SQL, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk, type Select } from '#lib/postgres/lists.ts';
import type { Lien } from './liens.ts';
import { hold, lien, transaction } from './tables.ts';

const held = alias(hold, 'h');
const kept = alias(lien, 'l');

/** Money of an account that is set aside, and the transaction that would take it, where there is one already. */
export interface OpenHold {
  hold: typeof hold.$inferSelect;
  transaction: Pick<typeof transaction.$inferSelect, 'id' | 'type' | 'reference' | 'externalReference'> | null;
}

/** The open holds of an account, newest first. `count` is of all of them. */
export async function listOpenHolds(
  db: Executor,
  accountId: number,
  page: PageRequest<number>,
): Promise<Listed<OpenHold, number>> {
  const within = sql`${held.accountId} = ${accountId} and ${held.state} = 'OPEN'`;
  const walk = { name: 'holds', filter: { accountId }, table: hold, row: held, key: held.id, within };
  return pageOfWalk(db, walk, page, { rows: (keys) => selectHolds(db, keys), keyOf: (one) => one.hold.id });
}

const selectHolds = (db: Executor, keys: SQL): Select<OpenHold> =>
  db
    .select({
      hold,
      transaction: {
        id: transaction.id,
        type: transaction.type,
        reference: transaction.reference,
        externalReference: transaction.externalReference,
      },
    })
    .from(hold)
    .leftJoin(transaction, eq(transaction.holdId, hold.id))
    .where(sql`${hold.id} in (${keys})`)
    .orderBy(desc(hold.id));

/** The liens of an account, those that were lifted too, newest first. `count` is of all of them. */
export async function listLiens(
  db: Executor,
  accountId: number,
  page: PageRequest<number>,
): Promise<Listed<Lien, number>> {
  const within = eq(kept.accountId, accountId);
  const walk = { name: 'liens', filter: { accountId }, table: lien, row: kept, key: kept.id, within };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => db.select().from(lien).where(sql`${lien.id} in (${keys})`).orderBy(desc(lien.id)),
    keyOf: ({ id }) => id,
  });
}
