import { and, eq } from '#drizzle';
import type { Executor } from '#lib/postgres/executor.ts';
import { type Given, preparedOne, preparedText } from '#lib/postgres/prepared.ts';
import { callers } from '#lib/security-events.ts';
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

/** Puts an account in the place of the one before, and audits that. The same account keeps the time at which it was first linked. */
export async function upsertLinked(db: Executor, row: LinkedAccountRow): Promise<LinkedAccountRow> {
  const { customerId, partnerId, bankCode, bankName, accountIndex, accountNumberSealed, accountNameSealed } = row;
  const values = [customerId, partnerId, bankCode, bankName, accountIndex, accountNumberSealed, accountNameSealed];
  const [stored] = await link(db, [...values, row.linkedAt, callers.getStore()?.requestId ?? null]);
  if (stored === undefined) throw new Error('a link returns its row');
  return { ...row, linkedAt: stored.linkedAt };
}

const link = preparedText<{ linkedAt: Date }>(
  'bank-accounts.link',
  'select bank_accounts.link($1, $2, $3, $4, $5, $6, $7, $8, $9) as "linkedAt"',
  { writes: true },
);
