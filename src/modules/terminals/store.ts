import { and, count, desc, eq, gt, inArray, isNull, lt, lte, or, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { type Listed, type PageRequest, pageOfRows } from '#lib/list-page.ts';
import { statesLeadingTo } from '#lib/state-machine.ts';
import { splitTransitions } from './split-status.ts';
import { split, terminal } from './tables.ts';

export type TerminalRow = typeof terminal.$inferSelect;
export type SplitRow = typeof split.$inferSelect;

/** Stores a new terminal. @returns undefined when the serial number is taken */
export async function insertTerminal(tx: Tx, values: typeof terminal.$inferInsert): Promise<TerminalRow | undefined> {
  const [created] = await tx.insert(terminal).values(values).onConflictDoNothing().returning();
  return created;
}

/** A terminal of any partner. */
export async function selectTerminal(db: Executor, serialNumber: string): Promise<TerminalRow | undefined> {
  const [found] = await db.select().from(terminal).where(eq(terminal.serialNumber, serialNumber));
  return found;
}

/** A terminal by our id of it. */
export async function selectTerminalById(db: Executor, id: number): Promise<TerminalRow | undefined> {
  const [found] = await db.select().from(terminal).where(eq(terminal.id, id));
  return found;
}

/** Adds to the balance of a terminal. @returns the new balance, minor units */
export async function addToBalance(tx: Tx, id: number, amount: bigint): Promise<bigint> {
  const [updated] = await tx
    .update(terminal)
    .set({ balance: sql`${terminal.balance} + ${amount}` })
    .where(eq(terminal.id, id))
    .returning({ balance: terminal.balance });
  if (updated === undefined) throw new Error(`there is no terminal ${id}`);
  return updated.balance;
}

/** Stores a new split. @returns undefined when this terminal has a split of that reference */
export async function insertSplit(tx: Tx, values: typeof split.$inferInsert): Promise<SplitRow | undefined> {
  const [created] = await tx.insert(split).values(values).onConflictDoNothing().returning();
  return created;
}

const named = (terminalId: number, reference: string) =>
  and(eq(split.terminalId, terminalId), eq(split.reference, reference));

/** A split of this terminal, and of no other. */
export async function selectSplit(db: Executor, terminalId: number, reference: string): Promise<SplitRow | undefined> {
  const [found] = await db.select().from(split).where(named(terminalId, reference));
  return found;
}

/** The same, locked until this transaction ends. */
export async function selectSplitLocked(tx: Tx, terminalId: number, reference: string): Promise<SplitRow | undefined> {
  const [found] = await tx.select().from(split).where(named(terminalId, reference)).for('no key update');
  return found;
}

/** A terminal's splits, newest first. `count` is of all. */
export async function selectSplits(
  db: Executor,
  terminalId: number,
  { limit, offset, cursor }: PageRequest<number>,
): Promise<Listed<SplitRow, number>> {
  const ofTerminal = eq(split.terminalId, terminalId);
  const before = cursor === undefined ? undefined : lt(split.id, cursor);
  // Passed over in the index alone, however large the offset.
  const keys = db
    .select({ id: split.id })
    .from(split)
    .where(and(ofTerminal, before))
    .orderBy(desc(split.id))
    .limit(limit + 1)
    .offset(offset);
  const [rows, [total]] = await Promise.all([
    db.select().from(split).where(inArray(split.id, keys)).orderBy(desc(split.id)),
    db.select({ count: count() }).from(split).where(ofTerminal),
  ]);
  return { ...pageOfRows(rows, limit, ({ id }) => id), count: total?.count ?? 0, countIsExact: true };
}

/** Adds an instalment; the last one makes the split Paid. */
export async function addInstalment(tx: Tx, id: number, amount: bigint, now: Date): Promise<void> {
  const total = sql`${split.totalPaid} + ${amount}`;
  const updated = await tx
    .update(split)
    .set({
      totalPaid: total,
      status: sql`case when ${total} = ${split.amount} then 'Paid' else ${split.status} end`,
      updatedAt: now,
    })
    .where(and(eq(split.id, id), inArray(split.status, statesLeadingTo(splitTransitions, 'Paid'))))
    .returning({ id: split.id });
  if (updated.length !== 1) throw new Error(`split ${id} takes no instalment`);
}

/** Cancels a split. @returns undefined when it does not exist, is not pending, has expired, or is paid in part */
export async function cancelUnpaid(
  tx: Tx,
  terminalId: number,
  reference: string,
  now: Date,
): Promise<SplitRow | undefined> {
  const [cancelled] = await tx
    .update(split)
    .set({ status: 'Cancelled', updatedAt: now })
    .where(
      and(
        named(terminalId, reference),
        inArray(split.status, statesLeadingTo(splitTransitions, 'Cancelled')),
        eq(split.totalPaid, 0n),
        or(isNull(split.expiresAt), gt(split.expiresAt, now)),
      ),
    )
    .returning();
  return cancelled;
}

/** Marks at most `limit` splits as expired. A split that is being paid is left for the next time. @returns how many */
export async function expireOverdue(db: Executor, now: Date, limit: number): Promise<number> {
  const overdue = db
    .select({ id: split.id })
    .from(split)
    .where(
      and(
        inArray(split.status, statesLeadingTo(splitTransitions, 'Expired')),
        eq(split.totalPaid, 0n),
        lte(split.expiresAt, now),
      ),
    )
    .limit(limit)
    .for('no key update', { skipLocked: true });
  const expired = await db
    .update(split)
    .set({ status: 'Expired', updatedAt: now })
    .where(inArray(split.id, overdue))
    .returning({ id: split.id });
  return expired.length;
}
