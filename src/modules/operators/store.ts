import { desc, eq, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, preparedColumns, preparedOne, preparedText, type Written } from '#lib/postgres/prepared.ts';
import { macOf, type VouchedFor } from './operator-mac.ts';
import { operator } from './tables.ts';

export type OperatorRow = typeof operator.$inferSelect;

/** What is shown of an operator: neither the token nor its digest. */
export type Operator = Omit<OperatorRow, 'tokenDigest' | 'routingMac'>;

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
  const [created] = await add(tx, values, {});
  return created && setMac(tx, created.id, macOf(keyring, created));
}

const add = preparedColumns('operators.add', operator, (db, written: Written<typeof operator.$inferInsert>) =>
  db.insert(operator).values(written).onConflictDoNothing().returning(),
);

/** An operator. */
export const selectOperator = (db: Executor, id: string): Promise<Operator | undefined> => byId(db, { id });

const byId = preparedOne('operators.by-id', (db, given: Given<{ id: string }>) =>
  db.select(shown).from(operator).where(eq(operator.id, given.id)),
);

/** All of an operator's row, locked until the transaction ends. */
export const lockOperator = (tx: Tx, id: string): Promise<OperatorRow | undefined> => lockById(tx, { id });

const lockById = preparedOne('operators.lock', (db, given: Given<{ id: string }>) =>
  db.select().from(operator).where(eq(operator.id, given.id)).for('no key update'),
);

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
  const [changed] = await change(tx, { ...values, updatedAt: now }, { id });
  return setMac(tx, id, changed && macOf(keyring, changed));
}

const change = preparedColumns(
  'operators.change',
  operator,
  (db, written: Written<Partial<OperatorRow>>, given: Given<{ id: string }>) =>
    db.update(operator).set(written).where(eq(operator.id, given.id)).returning(),
);

/** Disables an operator whose row the server did not write, and does not vouch for it. */
export async function disableUnvouched(tx: Tx, id: string, now: Date): Promise<Operator> {
  await change(tx, { status: 'DISABLED', updatedAt: now }, { id });
  return setMac(tx, id, null);
}

async function setMac(tx: Tx, id: string, mac: Buffer | null = null): Promise<Operator> {
  const vouched = await vouch(tx, { id, mac });
  if (vouched === undefined) throw new Error('an operator that was locked is gone');
  return vouched;
}

const vouch = preparedOne('operators.vouch', (db, given: Given<{ id: string; mac: Buffer | null }>) =>
  db
    .update(operator)
    .set({ routingMac: sql`${given.mac}` })
    .where(eq(operator.id, given.id))
    .returning(shown),
);

export type TokenRow = VouchedFor & Pick<OperatorRow, 'routingMac' | 'lastUsedAt'>;

/** Whose token has this digest. Every operator's call reads it, so that what was ended has ended everywhere. */
export const selectByToken = async (db: Executor, digest: Buffer): Promise<TokenRow | undefined> =>
  (await byToken(db, [digest]))[0];

const byToken = preparedText<TokenRow>(
  'operators.by-token',
  `select id, name, role, status, token_digest as "tokenDigest", token_expires_at as "tokenExpiresAt", routing_mac as "routingMac",
     last_used_at as "lastUsedAt" from operators.operator where token_digest = $1`,
);

/** Notes when a token was used. */
export async function setLastUsed(db: Executor, id: string, now: Date): Promise<void> {
  await noteUse(db, [id, now]);
}

const noteUse = preparedText('operators.note-use', 'update operators.operator set last_used_at = $2 where id = $1', {
  writes: true,
});
