import { and, eq, lte, sql } from '#drizzle';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared } from '#lib/postgres/prepared.ts';
import { contactChange } from './tables.ts';

export type ChangeRow = typeof contactChange.$inferSelect;

/** Which change: a customer has at most one of each contact. */
type ChangeKey = Pick<ChangeRow, 'customerId' | 'contact'>;

/** Stores a change, in place of another one of the same contact. */
export async function upsertChange(tx: Tx, row: ChangeRow): Promise<void> {
  await upsert(tx, row);
}

const upsert = prepared('customers.upsert-contact-change', (db, given: Given<ChangeRow>) =>
  db
    .insert(contactChange)
    .values({
      customerId: given.customerId,
      contact: given.contact,
      valueSealed: given.valueSealed,
      confirmedAt: given.confirmedAt,
      inForceAt: given.inForceAt,
    })
    .onConflictDoUpdate({
      target: [contactChange.customerId, contactChange.contact],
      set: {
        valueSealed: sql`excluded.value_sealed`,
        confirmedAt: sql`excluded.confirmed_at`,
        inForceAt: sql`excluded.in_force_at`,
      },
    }),
);

/** The changes of a customer. */
export const selectChanges = (db: Executor, customerId: string): Promise<ChangeRow[]> => changesOf(db, { customerId });

const changesOf = prepared('customers.contact-changes', (db, given: Given<{ customerId: string }>) =>
  db.select().from(contactChange).where(eq(contactChange.customerId, given.customerId)).orderBy(contactChange.contact),
);

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
  return (await deleteAll(tx, { customerId })).length > 0;
}

const deleteAll = prepared('customers.delete-contact-changes', (db, given: Given<{ customerId: string }>) =>
  db
    .delete(contactChange)
    .where(eq(contactChange.customerId, given.customerId))
    .returning({ contact: contactChange.contact }),
);
