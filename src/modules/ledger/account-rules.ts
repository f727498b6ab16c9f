import { and, eq, sql } from '#drizzle';
import type { Tx } from '#lib/postgres/executor.ts';
import { type Given, prepared, preparedColumns, preparedOne, type Written } from '#lib/postgres/prepared.ts';
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
  const locked = await lockById(tx, { id });
  if (locked === undefined) throw new Error(`there is no account ${id}`);
  return locked;
}

const lockById = preparedOne('ledger.lock-account', (db, given: Given<{ id: number }>) =>
  db.select().from(account).where(eq(account.id, given.id)).for('no key update'),
);

/** Locks those of these accounts that postings lock, in their order, until this transaction ends. */
export async function lockAccounts(tx: Tx, ids: readonly number[]): Promise<void> {
  await lockStrict(tx, { ids });
}

const lockStrict = prepared('ledger.lock-accounts', (db, given: Given<{ ids: readonly number[] }>) =>
  db
    .select({ id: account.id })
    .from(account)
    .where(and(sql`${account.id} = any(${given.ids})`, eq(account.lockMode, 'strict')))
    .orderBy(account.id)
    .for('no key update'),
);

/** Blocks an empty account for good. A refund to it is refused, whereas one to a blocked account is pending. */
export async function closeAccount(tx: Tx, id: number, now: Date): Promise<void> {
  await change(tx, { status: 'Blocked', closedAt: now, updatedAt: now }, { id });
}

const change = preparedColumns(
  'ledger.change-account',
  account,
  (db, written: Written<Partial<Account>>, given: Given<{ id: number }>) =>
    db.update(account).set(written).where(eq(account.id, given.id)).returning(),
);

/** Changes the rules that later postings are held to. @returns the account as it is now */
export async function changeRules(
  tx: Tx,
  id: number,
  { status, dailyLimit }: AccountRules,
  now: Date,
): Promise<Account> {
  const changes = { ...(status && { status }), ...(dailyLimit !== undefined && { dailyLimit }), updatedAt: now };
  const [changed] = await change(tx, changes, { id });
  if (changed === undefined) throw new Error(`there is no account ${id}`);
  return changed;
}
