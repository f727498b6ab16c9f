import { and, eq, sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { linkedAccount } from './tables.ts';

export type LinkedAccountRow = typeof linkedAccount.$inferSelect;

/** Whose account, at which partner. */
export interface AccountHolder {
  partnerId: string;
  customerId: string;
}

/** The account that is linked now. */
export async function selectLinked(db: Executor, holder: AccountHolder): Promise<LinkedAccountRow | undefined> {
  const [found] = await db
    .select()
    .from(linkedAccount)
    .where(and(eq(linkedAccount.customerId, holder.customerId), eq(linkedAccount.partnerId, holder.partnerId)));
  return found;
}

/** Puts an account in the place of the one before. The same account keeps the time at which it was first linked. */
export async function upsertLinked(db: Executor, row: LinkedAccountRow): Promise<LinkedAccountRow> {
  const { customerId: _, partnerId: __, ...values } = row;
  const [stored] = await db
    .insert(linkedAccount)
    .values(row)
    .onConflictDoUpdate({
      target: [linkedAccount.customerId, linkedAccount.partnerId],
      set: {
        ...values,
        linkedAt: sql`case when ${linkedAccount.accountIndex} = excluded.account_index
          then ${linkedAccount.linkedAt} else excluded.linked_at end`,
      },
    })
    .returning();
  if (stored === undefined) throw new Error('an upsert returns its row');
  return stored;
}
