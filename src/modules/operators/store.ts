import type { Pool } from 'pg';
import { and, count, desc, eq, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/database.ts';
import type { Listed, PageRequest } from '#lib/list-page.ts';
import { pageOfWalk } from '#lib/walk.ts';
import { macOf, type VouchedFor } from './operator-mac.ts';
import { operator } from './tables.ts';

export type OperatorRow = typeof operator.$inferSelect;

/** What is shown of an operator: neither the token nor its digest. */
export type Operator = Omit<OperatorRow, 'tokenDigest' | 'mac'>;

const shown = {
  id: operator.id,
  name: operator.name,
  role: operator.role,
  status: operator.status,
  tokenExpiresAt: operator.tokenExpiresAt,
  lastUsedAt: operator.lastUsedAt,
  createdAt: operator.createdAt,
  updatedAt: operator.updatedAt,
};

/** Stores a new operator. @returns undefined when the name is taken, in whatever case */
export async function insertOperator(
  tx: Tx,
  keyring: Keyring,
  values: typeof operator.$inferInsert,
): Promise<Operator | undefined> {
  const [created] = await tx.insert(operator).values(values).onConflictDoNothing().returning();
  return created && setMac(tx, created.id, macOf(keyring, created));
}

/** An operator. */
export async function selectOperator(db: Executor, id: string): Promise<Operator | undefined> {
  const [found] = await db.select(shown).from(operator).where(eq(operator.id, id));
  return found;
}

/** How many admins there are, without root. */
export async function countActiveAdmins(db: Executor): Promise<number> {
  const active = and(eq(operator.role, 'admin'), eq(operator.status, 'ACTIVE'));
  const [found] = await db.select({ admins: count() }).from(operator).where(active);
  return found?.admins ?? 0;
}

/** All of an operator's row, locked until the transaction ends. */
export async function lockOperator(tx: Tx, id: string): Promise<OperatorRow | undefined> {
  const [found] = await tx.select().from(operator).where(eq(operator.id, id)).for('no key update');
  return found;
}

const listed = alias(operator, 'o');

/** Operators, newest first. `count` is of all that match. */
export async function selectOperators(
  db: Executor,
  status: Operator['status'] | undefined,
  page: PageRequest<string>,
): Promise<Listed<Operator, string>> {
  const matches = status && eq(listed.status, status);
  const walk = { name: 'operators', filter: status, table: operator, row: listed, key: listed.id, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => db.select(shown).from(operator).where(sql`${operator.id} in (${keys})`).orderBy(desc(operator.id)),
    keyOf: ({ id }) => id,
  });
}

/** Changes what is given, leaves the rest, and vouches for all of it: ask before whether the row was authentic. */
export async function updateOperator(
  tx: Tx,
  keyring: Keyring,
  id: string,
  values: Partial<Pick<OperatorRow, 'role' | 'status' | 'tokenDigest' | 'tokenExpiresAt'>>,
  now: Date,
): Promise<Operator> {
  const [changed] = await tx
    .update(operator)
    .set({ ...values, updatedAt: now })
    .where(eq(operator.id, id))
    .returning();
  return setMac(tx, id, changed && macOf(keyring, changed));
}

/** Disables an operator whose row the server did not write, and does not vouch for it. */
export async function disableUnvouched(tx: Tx, id: string, now: Date): Promise<Operator> {
  await tx.update(operator).set({ status: 'DISABLED', updatedAt: now }).where(eq(operator.id, id));
  return setMac(tx, id, null);
}

async function setMac(tx: Tx, id: string, mac: Buffer | null | undefined): Promise<Operator> {
  const [vouched] = await tx.update(operator).set({ mac }).where(eq(operator.id, id)).returning(shown);
  if (vouched === undefined) throw new Error('an operator that was locked is gone');
  return vouched;
}

export type TokenRow = VouchedFor & Pick<OperatorRow, 'mac' | 'lastUsedAt'>;

const BY_TOKEN = `
  select id, name, role, status, token_digest as "tokenDigest", token_expires_at as "tokenExpiresAt", mac,
    last_used_at as "lastUsedAt" from operators.operator where token_digest = $1`;

/** Whose token has this digest. Prepared: every operator's call reads it, so that what was ended has ended everywhere. */
export async function selectByToken(pool: Pool, digest: Buffer): Promise<TokenRow | undefined> {
  const { rows } = await pool.query<TokenRow>({ name: 'operator-by-token', text: BY_TOKEN, values: [digest] });
  return rows[0];
}

/** Notes when a token was used. */
export async function setLastUsed(pool: Pool, id: string, now: Date): Promise<void> {
  const text = 'update operators.operator set last_used_at = $2 where id = $1';
  await pool.query({ name: 'operator-last-used', text, values: [id, now] });
}
