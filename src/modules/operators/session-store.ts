import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { VouchedFor } from './operator-mac.ts';
import type { session } from './tables.ts';

export type SessionRow = typeof session.$inferSelect;

/** A session with the operator that it is of; all of the operator null for root's. */
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

/** The session that has this digest, with whose it is. Every page of the console reads it, and each of its questions to the API. */
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

/** Notes that a session has ended. */
export async function setSessionEnded(db: Executor, { digest, endedAt, routingMac }: SessionRow): Promise<void> {
  await end(db, [digest, endedAt, routingMac]);
}
