import { and, eq, lte } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import { contactChange } from './tables.ts';

export type ChangeRow = typeof contactChange.$inferSelect;

/** Which change: a customer has at most one of each contact. */
type ChangeKey = Pick<ChangeRow, 'customerId' | 'contact'>;

/** Stores a change, in place of another one of the same contact. */
export async function upsertChange(tx: Tx, row: ChangeRow): Promise<void> {
  const { valueSealed, confirmedAt, inForceAt } = row;
  await tx
    .insert(contactChange)
    .values(row)
    .onConflictDoUpdate({
      target: [contactChange.customerId, contactChange.contact],
      set: { valueSealed, confirmedAt, inForceAt },
    });
}

/** The changes of a customer. */
export async function selectChanges(db: Executor, customerId: string): Promise<ChangeRow[]> {
  return db.select().from(contactChange).where(eq(contactChange.customerId, customerId)).orderBy(contactChange.contact);
}

/** Changes whose time has come, the oldest first. */
export async function selectDueChanges(db: Executor, now: Date, limit: number): Promise<ChangeKey[]> {
  return db
    .select({ customerId: contactChange.customerId, contact: contactChange.contact })
    .from(contactChange)
    .where(lte(contactChange.inForceAt, now))
    .orderBy(contactChange.inForceAt)
    .limit(limit);
}

/** Takes a change away whose time has come; undefined when there is none any more. */
export async function deleteDueChange(
  tx: Tx,
  { customerId, contact }: ChangeKey,
  now: Date,
): Promise<ChangeRow | undefined> {
  const is = and(eq(contactChange.customerId, customerId), eq(contactChange.contact, contact));
  const [taken] = await tx
    .delete(contactChange)
    .where(and(is, lte(contactChange.inForceAt, now)))
    .returning();
  return taken;
}

/** Takes all changes of a customer away. @returns whether there was one */
export async function deleteChanges(tx: Tx, customerId: string): Promise<boolean> {
  const deleted = await tx
    .delete(contactChange)
    .where(eq(contactChange.customerId, customerId))
    .returning({ contact: contactChange.contact });
  return deleted.length > 0;
}
