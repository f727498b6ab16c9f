import type { Pool } from 'pg';
import { count, desc, eq } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';
import type { Role } from './roles.ts';
import { operator } from './tables.ts';

export type OperatorRow = typeof operator.$inferSelect;

/** What is shown of an operator: neither the token nor its digest. */
export type Operator = Omit<OperatorRow, 'tokenDigest'>;

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
export async function insertOperator(tx: Tx, values: typeof operator.$inferInsert): Promise<Operator | undefined> {
  const [created] = await tx.insert(operator).values(values).onConflictDoNothing().returning(shown);
  return created;
}

/** An operator. With `locked`: locked until the transaction ends. */
export async function selectOperator(db: Executor, id: string, lock?: 'locked'): Promise<Operator | undefined> {
  const query = db.select(shown).from(operator).where(eq(operator.id, id));
  const [found] = await (lock === undefined ? query : query.for('no key update'));
  return found;
}

/** Operators, newest first. `count` is of all that match. */
export async function selectOperators(
  db: Executor,
  status: Operator['status'] | undefined,
  page: { limit: number; offset: number },
): Promise<{ items: Operator[]; count: number }> {
  const matching = status && eq(operator.status, status);
  const items = await db
    .select(shown)
    .from(operator)
    .where(matching)
    .orderBy(desc(operator.id))
    .limit(page.limit)
    .offset(page.offset);
  const [total] = await db.select({ count: count() }).from(operator).where(matching);
  return { items, count: total?.count ?? 0 };
}

/** Changes what is given, and leaves the rest. */
export async function updateOperator(
  tx: Tx,
  id: string,
  values: Partial<Pick<OperatorRow, 'role' | 'status' | 'tokenDigest' | 'tokenExpiresAt'>>,
  now: Date,
): Promise<Operator> {
  const [changed] = await tx
    .update(operator)
    .set({ ...values, updatedAt: now })
    .where(eq(operator.id, id))
    .returning(shown);
  if (changed === undefined) throw new Error('an operator that was locked is gone');
  return changed;
}

interface TokenRow {
  id: string;
  name: string;
  role: Role;
  status: OperatorRow['status'];
  token_digest: Buffer;
  token_expires_at: Date;
  last_used_at: Date | null;
}

const BY_TOKEN = `
  select id, name, role, status, token_digest, token_expires_at, last_used_at
    from operators.operator where token_digest = $1`;

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
