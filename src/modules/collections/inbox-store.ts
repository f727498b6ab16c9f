import { and, desc, eq, gte, isNotNull, lte, sql } from '#drizzle';
import { alias } from '#drizzle/pg-core';
import type { Executor, Tx } from '#lib/postgres/executor.ts';
import { type Listed, type PageRequest, pageOfWalk } from '#lib/postgres/lists.ts';
import {
  type Given,
  prepared,
  preparedColumns,
  preparedOne,
  preparedText,
  type Written,
} from '#lib/postgres/prepared.ts';
import { message } from './tables.ts';

export type MessageRow = typeof message.$inferSelect;

/** Stores a message, unless it is there: provider, origin, digest, sealed bytes, and now. */
export const insertMessage = preparedText<{ id: string }>(
  'inbox.insert',
  `insert into inbox.message (provider, origin, digest, body_sealed, due_at, received_at, updated_at)
    values ($1, $2, $3::bytea, $4::bytea, $5::timestamptz, $5::timestamptz, $5::timestamptz)
    on conflict (provider, digest) do nothing returning id`,
  { writes: true },
);

/** A message that a worker is to book. */
export interface ClaimedMessage {
  id: string;
  provider: string;
  digest: Buffer;
  bodySealed: Buffer | null;
  attempts: number;
}

/** Claims messages that are due: now, until when nobody else does, and how many at most. */
export const claimDueMessages = preparedText<ClaimedMessage>(
  'inbox.claim-due',
  `update inbox.message m set attempts = m.attempts + 1, due_at = $2, updated_at = $1
    where m.id = any (array(
      select d.id from inbox.message d where d.due_at <= $1 order by d.due_at limit $3 for update skip locked))
    returning m.id, m.provider, m.digest, m.body_sealed as "bodySealed", m.attempts`,
  { writes: true },
);

/**
 * Writes what has become of a message. One that was booked stays as it is; one that was dismissed until it is booked, or tried
 * again.
 */
export async function updateMessage(db: Executor, id: string, change: Partial<MessageRow>): Promise<void> {
  const reopens = change.state === 'BOOKED' || change.state === 'RECEIVED';
  const closed = reopens ? (['BOOKED'] as const) : (['BOOKED', 'DISMISSED'] as const);
  await changeUnless(db, change, { id, closed });
}

const changeUnless = preparedColumns(
  'inbox.change',
  message,
  (db, written: Written<Partial<MessageRow>>, given: Given<{ id: string; closed: readonly MessageRow['state'][] }>) =>
    db
      .update(message)
      .set(written)
      .where(and(eq(message.id, given.id), sql`${message.state} <> all(${given.closed})`)),
);

/** A message of any provider. */
export const selectById = preparedOne('inbox.by-id', (db, given: Given<{ id: string }>) =>
  db.select().from(message).where(eq(message.id, given.id)),
);

/** A message, locked until this transaction ends. */
export const lockMessage = (tx: Tx, id: string): Promise<MessageRow | undefined> => lockById(tx, { id });

const lockById = preparedOne('inbox.lock', (db, given: Given<{ id: string }>) =>
  db.select().from(message).where(eq(message.id, given.id)).for('no key update'),
);

/** Messages that are in the books as this transaction, and can still be read. */
export const selectBooked = prepared('inbox.booked', (db, given: Given<{ transactionId: number }>) =>
  db
    .select()
    .from(message)
    .where(
      and(eq(message.transactionId, given.transactionId), eq(message.state, 'BOOKED'), isNotNull(message.bodySealed)),
    ),
);

export interface MessageFilter {
  provider?: string | undefined;
  state?: MessageRow['state'] | undefined;
  kind?: NonNullable<MessageRow['kind']> | undefined;
  /** Of the transfer or the payment that it tells of. */
  reference?: string | undefined;
  /** Received at this moment or later, and at this one or before. */
  from?: Date | undefined;
  to?: Date | undefined;
}

const listed = alias(message, 'm');

/** Messages of all providers, newest first. */
export async function selectMatching(
  db: Executor,
  filter: MessageFilter,
  page: PageRequest<string>,
): Promise<Listed<MessageRow, string>> {
  const { provider, state, kind, reference, from, to } = filter;
  const row = listed;
  const matches = and(
    provider === undefined ? undefined : eq(row.provider, provider),
    state === undefined ? undefined : eq(row.state, state),
    kind === undefined ? undefined : eq(row.kind, kind),
    from === undefined ? undefined : gte(row.receivedAt, from),
    to === undefined ? undefined : lte(row.receivedAt, to),
  );
  // Those that somebody has yet to deal with have an index.
  const isOpen = state === 'RECEIVED' || state === 'DIFFERENT';
  const ofState = isOpen ? sql`${row.state} in ('RECEIVED', 'DIFFERENT')` : undefined;
  const within = reference === undefined ? ofState : eq(row.reference, reference);
  const walk = { name: 'inbox', filter, table: message, row, key: row.id, within, matches };
  return pageOfWalk(db, walk, page, {
    rows: (keys) => db.select().from(message).where(sql`${message.id} in (${keys})`).orderBy(desc(message.id)),
    keyOf: ({ id }) => id,
  });
}

/** A message by its bytes. */
export const selectByDigest = preparedOne('inbox.by-digest', (db, given: Given<{ provider: string; digest: Buffer }>) =>
  db
    .select()
    .from(message)
    .where(and(eq(message.provider, given.provider), eq(message.digest, given.digest))),
);
