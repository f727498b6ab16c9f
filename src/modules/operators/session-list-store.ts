import type { Executor } from '#lib/postgres/executor.ts';
import { preparedText } from '#lib/postgres/prepared.ts';
import type { Role } from './roles.ts';
import type { SessionRow } from './session-store.ts';

/** A place in the list: when a session began, and its id. */
export interface Begun {
  at: Date;
  id: string;
}

/** A session, with whose it is: all of the operator null for root's. */
export interface ListedSession extends SessionRow {
  id: string;
  name: string | null;
  role: Role | null;
}

/** A UUID of version 8 (RFC 9562, 5.8), made of half of its digest: it opens nothing. */
const ID = `overlay(overlay(encode(substr(s.digest, 1, 16), 'hex') placing '8' from 13) placing '8' from 17)::uuid`;

const SHOWN = `
  select ${ID} as id, s.digest, s.operator_id as "operatorId", s.token_digest as "tokenDigest", s.created_at as "createdAt",
      s.expires_at as "expiresAt", s.ended_at as "endedAt", s.routing_mac as "routingMac", o.name, o.role
    from operators.session s left join operators.operator o on o.id = s.operator_id`;

/** That has not ended by itself: what it hangs on, the token that it began with, is asked too. Of root's that is $2. */
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

const byId = preparedText<ListedSession>(
  'operators.session-by-id',
  `${SHOWN} where ${OPEN} and ${ID} = $3 for update of s`,
);

/** Which sessions are open: of one operator, or of all. */
export interface OpenSessions {
  now: Date;
  /** Digest of root's token, where this process knows it. */
  rootDigest: Buffer | null;
  operatorId?: string | undefined;
}

/** Open sessions, newest first. They are few: none is kept for longer than eight hours. */
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
  const [row] = await byId(db, [now, rootDigest, id]);
  return row;
}
