import { desc, eq, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { isAuthentic as isAsStored, type RoutingFacts, routingMacOf } from '#lib/crypto/routing-facts.ts';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import { type Given, preparedColumns, preparedOne, preparedText, type Written } from '#lib/postgres/prepared.ts';
import type { Role } from './roles.ts';
import { operator, type session } from './tables.ts';

export type OperatorRow = typeof operator.$inferSelect;

/** An operator without token and digest. */
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
export const selectOperator = (db: Executor, id: string): Promise<Operator | undefined> => operatorById(db, { id });

const operatorById = preparedOne('operators.by-id', (db, given: Given<{ id: string }>) =>
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

/** Changes only the given fields, and renews the MAC of the row: the caller has verified that it was authentic. */
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

/** Disables an operator whose row the server did not write, without a MAC. */
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

/** The operator whose token has this digest. Every operator call reads it, so that a revocation is effective in every process. */
export const selectByToken = async (db: Executor, digest: Buffer): Promise<TokenRow | undefined> =>
  (await byToken(db, [digest]))[0];

const byToken = preparedText<TokenRow>(
  'operators.by-token',
  `select id, name, role, status, token_digest as "tokenDigest", token_expires_at as "tokenExpiresAt", routing_mac as "routingMac",
     last_used_at as "lastUsedAt" from operators.operator where token_digest = $1`,
);

/** Stores the last use of a token. */
export async function setLastUsed(db: Executor, id: string, now: Date): Promise<void> {
  await noteUse(db, [id, now]);
}

const noteUse = preparedText('operators.note-use', 'update operators.operator set last_used_at = $2 where id = $1', {
  writes: true,
});

export type SessionRow = typeof session.$inferSelect;

/** A session with its operator, whose fields are null for root. */
export interface SessionOfOperator extends SessionRow {
  operator: (VouchedFor & { lastUsedAt: Date | null; routingMac: Buffer | null }) | undefined;
}

const insert = preparedText(
  'operators.session-insert',
  `insert into operators.session (digest, operator_id, token_digest, created_at, expires_at, routing_mac)
    values ($1, $2, $3, $4, $5, $6)`,
  { writes: true },
);

/** Stores a session. */
export async function insertSession(db: Executor, row: Omit<SessionRow, 'endedAt'>): Promise<void> {
  await insert(db, [row.digest, row.operatorId, row.tokenDigest, row.createdAt, row.expiresAt, row.routingMac]);
}

type Joined = SessionRow &
  Pick<VouchedFor, 'name' | 'role' | 'status' | 'tokenExpiresAt'> & {
    theirTokenDigest: Buffer;
    theirMac: Buffer | null;
    lastUsedAt: Date | null;
  };

const byDigest = preparedText<Joined>(
  'operators.session',
  `select s.digest, s.operator_id as "operatorId", s.token_digest as "tokenDigest", s.created_at as "createdAt",
      s.expires_at as "expiresAt", s.ended_at as "endedAt", s.routing_mac as "routingMac", o.name, o.role, o.status,
      o.token_digest as "theirTokenDigest", o.token_expires_at as "tokenExpiresAt", o.last_used_at as "lastUsedAt",
      o.routing_mac as "theirMac"
    from operators.session s left join operators.operator o on o.id = s.operator_id
    where s.digest = $1`,
);

/** The session with this digest, and its operator. Every console page reads it, and every API call of a page. */
export async function selectSession(db: Executor, digest: Buffer): Promise<SessionOfOperator | undefined> {
  const [row] = await byDigest(db, [digest]);
  if (row === undefined) return undefined;
  const { name, role, status, theirTokenDigest, theirMac, tokenExpiresAt, lastUsedAt, ...of } = row;
  if (of.operatorId === null) return { ...of, operator: undefined };
  const theirs = { name, role, status, tokenExpiresAt, lastUsedAt };
  return { ...of, operator: { id: of.operatorId, ...theirs, tokenDigest: theirTokenDigest, routingMac: theirMac } };
}

const end = preparedText(
  'operators.session-end',
  'update operators.session set ended_at = $2, routing_mac = $3 where digest = $1',
  { writes: true },
);

/** Ends a session. */
export async function setSessionEnded(db: Executor, { digest, endedAt, routingMac }: SessionRow): Promise<void> {
  await end(db, [digest, endedAt, routingMac]);
}

/** A place in the list: when a session began, and its id. */
export interface Begun {
  at: Date;
  id: string;
}

/** A session with its operator, whose fields are null for root. */
export interface ListedSession extends SessionRow {
  id: string;
  name: string | null;
  role: Role | null;
}

/** A UUID of version 8 (RFC 9562, 5.8) from half of its digest: it is no credential. */
const ID = `overlay(overlay(encode(substr(s.digest, 1, 16), 'hex') placing '8' from 13) placing '8' from 17)::uuid`;

const SHOWN = `
  select ${ID} as id, s.digest, s.operator_id as "operatorId", s.token_digest as "tokenDigest", s.created_at as "createdAt",
      s.expires_at as "expiresAt", s.ended_at as "endedAt", s.routing_mac as "routingMac", o.name, o.role
    from operators.session s left join operators.operator o on o.id = s.operator_id`;

/** Open sessions: not expired or ended, and the token of the sign-in is still valid. Root's token digest is $2. */
const OPEN = `s.expires_at > $1 and s.ended_at is null and (case when s.operator_id is null then s.token_digest = $2
  else o.token_digest = s.token_digest and o.status = 'ACTIVE' and o.token_expires_at > $1 end)`;

const list = preparedText<ListedSession>(
  'operators.sessions',
  `${SHOWN} where ${OPEN} and ($3::uuid is null or s.operator_id = $3)
    and ($4::timestamptz is null or (s.created_at, ${ID}) < ($4, $5::uuid))
    order by s.created_at desc, ${ID} desc limit $6 offset $7`,
);

const countAll = preparedText<{ count: number }>(
  'operators.sessions-count',
  `select count(*)::int as count from operators.session s left join operators.operator o on o.id = s.operator_id
    where ${OPEN} and ($3::uuid is null or s.operator_id = $3)`,
);

const sessionById = preparedText<ListedSession>(
  'operators.session-by-id',
  `${SHOWN} where ${OPEN} and ${ID} = $3 for update of s`,
);

/** Which sessions are open: of one operator, or of all. */
export interface OpenSessions {
  now: Date;
  /** Digest of root's token, if this process has it. */
  rootDigest: Buffer | null;
  operatorId?: string | undefined;
}

/** Open sessions, newest first. They are few, since each lasts eight hours at most. */
export async function selectOpenSessions(
  db: Executor,
  { now, rootDigest, operatorId }: OpenSessions,
  { limit, offset, cursor }: { limit: number; offset: number; cursor?: Begun | undefined },
): Promise<ListedSession[]> {
  return list(db, [now, rootDigest, operatorId ?? null, cursor?.at ?? null, cursor?.id ?? null, limit, offset]);
}

/** How many are open. */
export async function countOpenSessions(db: Executor, { now, rootDigest, operatorId }: OpenSessions): Promise<number> {
  const [row] = await countAll(db, [now, rootDigest, operatorId ?? null]);
  return row?.count ?? 0;
}

/** An open session by its id, locked until this transaction ends. */
export async function lockOpenSession(
  db: Executor,
  { now, rootDigest }: OpenSessions,
  id: string,
): Promise<ListedSession | undefined> {
  const [row] = await sessionById(db, [now, rootDigest, id]);
  return row;
}

type Row = typeof operator.$inferSelect;

/** The operator's identity, role and token. A row without its MAC is refused. */
const OPERATOR = {
  table: 'operators.operator',
  columns: ['id', 'name', 'role', 'status', 'tokenDigest', 'tokenExpiresAt'],
  where: 'routing_mac is not null',
} as const satisfies RoutingFacts;

/** The operator of a console session and its end; root has no id here. */
export const SESSION = {
  table: 'operators.session',
  columns: ['digest', 'operatorId', 'tokenDigest', 'createdAt', 'expiresAt', 'endedAt'],
} as const satisfies RoutingFacts;

/** The routing facts that the check of the books verifies. */
export const routingFacts: readonly RoutingFacts[] = [OPERATOR, SESSION];

/** The fields of an operator that the MAC covers. */
export type VouchedFor = Pick<Row, 'id' | 'name' | 'role' | 'status' | 'tokenDigest' | 'tokenExpiresAt'>;

/** The MAC of an operator: a write to the tables without the key creates no operator, raises no role and extends no token. */
const macOf = (keyring: Keyring, row: VouchedFor): Buffer => routingMacOf(keyring, OPERATOR, row);

/** Whether the server wrote this row as it is. */
export const isAuthentic = (keyring: Keyring, row: VouchedFor & Pick<Row, 'routingMac'>): boolean =>
  isAsStored(keyring, OPERATOR, row);
