import { and, eq, isNull, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedColumns, preparedOne, type Written } from '#lib/postgres/prepared.ts';
import type { Minor } from './money.ts';
import { account, lien } from './tables.ts';

export type Lien = typeof lien.$inferSelect;

/** Keeps an amount of an account from being spent, even when it does not hold that much yet. @returns the lien's id */
export async function placeLien(
  tx: Tx,
  request: { account: number; amount: Minor; reason: string; heldFor?: Lien['heldFor'] | undefined },
  now: Date,
): Promise<number> {
  await addToLiens(tx, request.account, request.amount, now);
  const { account: accountId, amount, reason, heldFor } = request;
  const [placed] = await add(tx, { accountId, amount, reason, heldFor, createdAt: now }, {});
  if (placed === undefined) throw new Error('an insert returned nothing');
  return placed.id;
}

type NewLien = Pick<Lien, 'accountId' | 'amount' | 'reason' | 'createdAt'> & { heldFor?: Lien['heldFor'] | undefined };

const add = preparedColumns('ledger.add-lien', lien, (db, written: Written<NewLien>) =>
  db.insert(lien).values(written).returning({ id: lien.id }),
);

/** Lifts a lien of this account. @returns false when there is none, or it has been lifted */
export async function liftLien(tx: Tx, request: { account: number; lien: number }, now: Date): Promise<boolean> {
  const lifted = await lift(tx, { ...request, now });
  if (lifted === undefined) return false;
  await addToLiens(tx, request.account, -lifted.amount, now);
  return true;
}

const lift = preparedOne('ledger.lift-lien', (db, given: Given<{ account: number; lien: number; now: Date }>) =>
  db
    .update(lien)
    .set({ liftedAt: sql`${given.now}` })
    .where(and(eq(lien.id, given.lien), eq(lien.accountId, given.account), isNull(lien.liftedAt)))
    .returning({ amount: lien.amount }),
);

/** The liens in force on an account, oldest first. */
export const liensOf = (db: Executor, accountId: number): Promise<Lien[]> => inForce(db, { accountId });

const inForce = prepared('ledger.liens', (db, given: Given<{ accountId: number }>) =>
  db
    .select()
    .from(lien)
    .where(and(eq(lien.accountId, given.accountId), isNull(lien.liftedAt)))
    .orderBy(lien.id),
);

/** A lien of this account, lifted or not. */
export const findLien = (db: Executor, request: { account: number; lien: number }): Promise<Lien | undefined> =>
  byId(db, request);

const byId = preparedOne('ledger.lien', (db, given: Given<{ account: number; lien: number }>) =>
  db
    .select()
    .from(lien)
    .where(and(eq(lien.id, given.lien), eq(lien.accountId, given.account))),
);

async function addToLiens(tx: Tx, id: number, amount: bigint, now: Date): Promise<void> {
  await change(tx, { id, amount, now });
}

const change = prepared('ledger.add-to-liens', (db, given: Given<{ id: number; amount: bigint; now: Date }>) =>
  db
    .update(account)
    .set({ liens: sql`${account.liens} + ${given.amount}`, updatedAt: sql`${given.now}` })
    .where(eq(account.id, given.id)),
);
