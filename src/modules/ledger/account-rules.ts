import { and, eq, inArray } from '#drizzle';
import type { Tx } from '#lib/database.ts';
import type { Account } from './accounts.ts';
import type { Minor } from './money.ts';
import { account } from './tables.ts';

/** What an operator may change about an account. */
export interface AccountRules {
  status?: Account['status'] | undefined;
  /** Minor units; null: what its holder's tier allows. */
  dailyLimit?: Minor | null | undefined;
}

/** Locks an account until this transaction ends. */
export async function lockAccount(tx: Tx, id: number): Promise<Account> {
  const [locked] = await tx.select().from(account).where(eq(account.id, id)).for('no key update');
  if (locked === undefined) throw new Error(`there is no account ${id}`);
  return locked;
}

/** Locks those of these accounts that postings lock, in their order, until this transaction ends. */
export async function lockAccounts(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx
    .select({ id: account.id })
    .from(account)
    .where(and(inArray(account.id, [...ids]), eq(account.lockMode, 'strict')))
    .orderBy(account.id)
    .for('no key update');
}

/** Blocks an empty account for good. A refund to it is refused, whereas one to a blocked account is pending. */
export async function closeAccount(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.update(account).set({ status: 'Blocked', closedAt: now, updatedAt: now }).where(eq(account.id, id));
}

/** Changes the rules that later postings are held to. @returns the account as it is now */
export async function changeRules(
  tx: Tx,
  id: number,
  { status, dailyLimit }: AccountRules,
  now: Date,
): Promise<Account> {
  const [changed] = await tx
    .update(account)
    .set({ ...(status && { status }), ...(dailyLimit !== undefined && { dailyLimit }), updatedAt: now })
    .where(eq(account.id, id))
    .returning();
  if (changed === undefined) throw new Error(`there is no account ${id}`);
  return changed;
}
