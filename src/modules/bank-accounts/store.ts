import { and, eq, sql } from '#drizzle';
import type { Executor } from '#lib/database.ts';
import { type Given, preparedOne } from '#lib/prepared.ts';
import { linkedAccount } from './tables.ts';

export type LinkedAccountRow = typeof linkedAccount.$inferSelect;

/** Whose account, at which partner. */
export interface AccountHolder {
  partnerId: string;
  customerId: string;
}

/** The account that is linked now. */
export const selectLinked = preparedOne('bank-accounts.linked', (db, given: Given<AccountHolder>) =>
  db
    .select()
    .from(linkedAccount)
    .where(and(eq(linkedAccount.customerId, given.customerId), eq(linkedAccount.partnerId, given.partnerId))),
);

/** Puts an account in the place of the one before. The same account keeps the time at which it was first linked. */
export async function upsertLinked(db: Executor, row: LinkedAccountRow): Promise<LinkedAccountRow> {
  const stored = await upsert(db, row);
  if (stored === undefined) throw new Error('an upsert returns its row');
  return stored;
}

const upsert = preparedOne('bank-accounts.upsert', (db, given: Given<LinkedAccountRow>) =>
  db
    .insert(linkedAccount)
    .values({
      customerId: given.customerId,
      partnerId: given.partnerId,
      bankCode: given.bankCode,
      bankName: given.bankName,
      accountNumberSealed: given.accountNumberSealed,
      accountIndex: given.accountIndex,
      accountNameSealed: given.accountNameSealed,
      linkedAt: given.linkedAt,
    })
    .onConflictDoUpdate({
      target: [linkedAccount.customerId, linkedAccount.partnerId],
      set: {
        bankCode: sql`excluded.bank_code`,
        bankName: sql`excluded.bank_name`,
        accountNumberSealed: sql`excluded.account_number_sealed`,
        accountIndex: sql`excluded.account_index`,
        accountNameSealed: sql`excluded.account_name_sealed`,
        linkedAt: sql`case when ${linkedAccount.accountIndex} = excluded.account_index
          then ${linkedAccount.linkedAt} else excluded.linked_at end`,
      },
    })
    .returning(),
);
