import { and, eq, isNull, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
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
  const [placed] = await tx
    .insert(lien)
    .values({
      accountId: request.account,
      amount: request.amount,
      reason: request.reason,
      heldFor: request.heldFor,
      createdAt: now,
    })
    .returning({ id: lien.id });
  if (placed === undefined) throw new Error('an insert returned nothing');
  return placed.id;
}

/** Lifts a lien of this account. @returns false when there is none, or it has been lifted */
export async function liftLien(tx: Tx, request: { account: number; lien: number }, now: Date): Promise<boolean> {
  const [lifted] = await tx
    .update(lien)
    .set({ liftedAt: now })
    .where(and(eq(lien.id, request.lien), eq(lien.accountId, request.account), isNull(lien.liftedAt)))
    .returning({ amount: lien.amount });
  if (lifted === undefined) return false;
  await addToLiens(tx, request.account, -lifted.amount, now);
  return true;
}

/** The liens in force on an account, oldest first. */
export async function liensOf(db: Executor, accountId: number): Promise<Lien[]> {
  return db
    .select()
    .from(lien)
    .where(and(eq(lien.accountId, accountId), isNull(lien.liftedAt)))
    .orderBy(lien.id);
}

/** A lien of this account, lifted or not. */
export async function findLien(db: Executor, request: { account: number; lien: number }): Promise<Lien | undefined> {
  const [found] = await db
    .select()
    .from(lien)
    .where(and(eq(lien.id, request.lien), eq(lien.accountId, request.account)));
  return found;
}

async function addToLiens(tx: Tx, id: number, amount: bigint, now: Date): Promise<void> {
  await tx
    .update(account)
    .set({ liens: sql`${account.liens} + ${amount}`, updatedAt: now })
    .where(eq(account.id, id));
}
