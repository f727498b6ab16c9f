import type { Pool } from 'pg';
import { sql } from '#drizzle';
import type { Executor, Tx } from '#lib/database.ts';

/** A part of the entries. */
export interface EntryPart {
  /** Its table. */
  part: string;
  /** Null for the first, which has everything before its end. */
  startsAt: Date | null;
  endsAt: Date;
}

/** The parts that end by a moment and are not closed, oldest first. */
export async function partsUntil(db: Executor, moment: Date): Promise<EntryPart[]> {
  const { rows } = await db.execute<{ part: string; starts: string | null; ends: string }>(sql`
    select p.part, to_json(nullif(p.starts_at, '-infinity')) #>> '{}' as starts, to_json(p.ends_at) #>> '{}' as ends
      from ledger.entry_parts() p
      where p.ends_at <= ${moment.toISOString()}::timestamptz and p.ends_at > ledger.archived_until() order by p.ends_at`);
  return rows.map(({ part, starts, ends }) => ({
    part,
    startsAt: starts === null ? null : new Date(starts),
    endsAt: new Date(ends),
  }));
}

/** A month that is closed, and what became of its table. */
export interface ClosedMonth extends EntryPart {
  entries: number;
  manifestDigest: string;
  /** Among the entries still, being taken off, a table by itself, or dropped. */
  table: 'ATTACHED' | 'DETACHING' | 'KEPT' | 'DROPPED';
}

/** The months that are closed, oldest first. */
export async function closedMonths(db: Executor): Promise<ClosedMonth[]> {
  const { rows } = await db.execute<Record<string, string | null> & { pending: boolean | null }>(sql`
    select r.part, to_json(r.starts_at) #>> '{}' as starts, to_json(r.ends_at) #>> '{}' as ends, r.entries,
        encode(r.manifest_digest, 'hex') as digest, c.oid as table, i.inhdetachpending as pending
      from ledger.archive r
        left join pg_class c on c.relnamespace = 'ledger'::regnamespace and c.relname = r.part
        left join pg_inherits i on i.inhrelid = c.oid order by r.ends_at`);
  return rows.map(({ part, starts, ends, entries, digest, table, pending }) => ({
    part: part ?? '',
    startsAt: starts == null ? null : new Date(starts),
    endsAt: new Date(ends ?? Number.NaN),
    entries: Number(entries),
    manifestDigest: digest ?? '',
    table: table === null ? 'DROPPED' : pending === null ? 'KEPT' : pending ? 'DETACHING' : 'ATTACHED',
  }));
}

/** How many transactions wait in suspense that began before a moment: their entries are needed when they are settled. */
export async function countWaitingBefore(db: Executor, moment: Date): Promise<number> {
  const { rows } = await db.execute<{ waiting: number }>(sql`
    select count(*)::int as waiting from ledger.transaction
      where status = 'Pending' and created_at < ${moment.toISOString()}::timestamptz`);
  return rows[0]?.waiting ?? 0;
}

/** How many entries a part has. */
export async function countEntries(db: Executor, { part }: Pick<EntryPart, 'part'>): Promise<number> {
  const { rows } = await db.execute<{ entries: string }>(
    sql`select count(*) as entries from ledger.${sql.identifier(part)}`,
  );
  return Number(rows[0]?.entries);
}

/**
 * Closes a part, as the owner of the tables: from here on nothing dated before its end counts among the entries, and what it came
 * to is carried on, a row for each account. Its table is there still.
 *
 * @throws Error when what is carried is not what its files say, or a part before it is not closed
 */
export async function closeMonth(
  tx: Tx,
  { part, startsAt, endsAt, manifestDigest, carriedDigest, entries }: EntryPart & ToClose,
): Promise<void> {
  const table = sql`ledger.${sql.identifier(part)}`;
  const ends = sql`${endsAt.toISOString()}::timestamptz`;
  await tx.execute(sql`insert into ledger.archive (ends_at, starts_at, part, entries, manifest_digest, carried_digest)
    values (${ends}, ${startsAt?.toISOString() ?? null}::timestamptz, ${part}, ${entries},
      decode(${manifestDigest}, 'hex'), decode(${carriedDigest}, 'hex'))`);
  await tx.execute(sql`
    with moved as (
      select account_id, count(*) as entries, coalesce(-sum(amount) filter (where amount < 0), 0) as debits,
          coalesce(sum(amount) filter (where amount > 0), 0) as credits, min(version) as first, max(version) as last,
          max(created_at) as moved_at from ${table} group by account_id)
    insert into ledger.carried (account_id, ends_at, entries, debits, credits, opening, version, closing, moved_at)
    select m.account_id, ${ends}, m.entries, m.debits, m.credits, f.opening, m.last, l.closing, m.moved_at from moved m
      left join ${table} f on f.account_id = m.account_id and f.version = m.first
      left join ${table} l on l.account_id = m.account_id and l.version = m.last`);
  const { rows } = await tx.execute<{ digest: string; before: boolean }>(sql`
    select encode(ledger.carried_digest(${ends}), 'hex') as digest,
      exists (select from ledger.entry_parts() p where p.ends_at < ${ends} and p.ends_at > coalesce(
        (select max(r.ends_at) from ledger.archive r where r.ends_at < ${ends}), '-infinity')) as before`);
  if (rows[0]?.before !== false) throw new Error(`a part before ${part} is not closed`);
  if (rows[0].digest !== carriedDigest) {
    throw new Error(`what ${part} comes to is not what its files say: nothing was closed`);
  }
}

interface ToClose {
  manifestDigest: string;
  carriedDigest: string;
  entries: number;
}

/**
 * Takes a closed part off the table of entries. Postings and reads go on meanwhile; it waits for statements that began before. What a
 * run that was ended has left is finished.
 */
export async function detachMonth(pool: Pool, { part, table }: Pick<ClosedMonth, 'part' | 'table'>): Promise<void> {
  if (table !== 'ATTACHED' && table !== 'DETACHING') return;
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('set transaction_timeout = 0');
    await client.query('set lock_timeout = 0'); // nobody waits behind it: what it locks, only another of its kind locks
    const how = table === 'ATTACHED' ? 'concurrently' : 'finalize';
    await client.query(`alter table ledger.entry detach partition ledger.${client.escapeIdentifier(part)} ${how}`);
  } finally {
    client.release(true);
  }
}

/** Postings wait no longer than this for a table that is dropped. */
const LOCK_TIMEOUT_MS = 200;
const TRIES_MAX = 300;
const BETWEEN_TRIES_MS = 500;
/** SQLSTATE of a lock that was not to be had. */
const LOCKED = '55P03';

/** Drops the table of a part that was taken off. */
export async function dropMonth(
  pool: Pool,
  { part }: Pick<ClosedMonth, 'part'>,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await client.query(`drop table ledger.${client.escapeIdentifier(part)}`);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if ((error as { code?: unknown }).code !== LOCKED || tries === TRIES_MAX) throw error;
    } finally {
      client.release();
    }
    await pause(BETWEEN_TRIES_MS);
  }
}
