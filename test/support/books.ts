import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import type { SnapshotReader } from '#lib/postgres/long-work.ts';
import { everything, newSince, type OffendingRow } from '#lib/room.ts';
import { checkInvariant, type IntegrityCheck } from '../../src/modules/proof/checker.ts';
import { invariantsOf } from '../../src/rooms.ts';
import type { TestApp } from './app.ts';

interface Counts {
  entries: number;
  events: number;
  declined: number;
  transactions: number;
}

const counts = async ({ resources }: TestApp): Promise<Counts> => {
  const { rows } = await resources.pool.query<Counts>(`
    select (select count(*)::int from ledger.entry) as entries,
      (select count(*)::int from outbox.event) as events,
      (select count(*)::int from ledger.transaction where status = 'Failed') as declined,
      (select count(*)::int from ledger.transaction) as transactions`);
  const [row] = rows;
  if (row === undefined) throw new Error('a count returned nothing');
  return row;
};

/** Does `work` and asserts that it moved and told nothing: what it leaves is so many declined references. */
export async function leavesNothingBut<T>(server: TestApp, declined: number, work: () => Promise<T>): Promise<T> {
  const before = await counts(server);
  const result = await work();
  expect(await counts(server)).toEqual({
    ...before,
    declined: before.declined + declined,
    transactions: before.transactions + declined,
  });
  return result;
}

/** The events that tell of a wallet, oldest first, parsed. */
export async function eventsOf({ resources }: TestApp, wallet: string): Promise<Record<string, unknown>[]> {
  const { rows } = await resources.pool.query<{ body: string }>(
    'select body from outbox.event where reference = $1 order by sequence',
    [wallet],
  );
  return rows.map(({ body }) => JSON.parse(body));
}

const TELL_LIMIT_MS = 60_000;

/**
 * What the books say of themselves: the invariants that are broken, with their rows. Each statement is planned once for a server, as
 * its owner: many tests ask again and again.
 *
 * @param given.since only of what is new since then
 * @param given.only the names of the invariants to check, where all would say no more
 */
export async function checkBooks(
  { resources, owner }: TestApp,
  { since, only }: { since?: Date | undefined; only?: readonly string[] | undefined } = {},
): Promise<IntegrityCheck[]> {
  const { keyring, nubanInstitutionCode, environment } = resources;
  const reader = readerOf(owner, since === undefined);
  const snapshots = { read: <T>(_limitMs: number, work: (reader: SnapshotReader) => Promise<T>) => work(reader) };
  const broken: IntegrityCheck[] = [];
  for (const invariant of invariantsOf({ nubanInstitutionCode, environment }, keyring)) {
    if (since !== undefined && 'wholeOnly' in invariant) continue;
    if (only !== undefined && !only.includes(invariant.name)) continue;
    const scope = since === undefined ? everything : newSince(since);
    const check = await checkInvariant(snapshots, invariant, scope, TELL_LIMIT_MS);
    if (check.violations > 0 || check.error !== undefined) broken.push(check);
  }
  return broken;
}

/** The names of the invariants that are broken. */
export async function brokenInvariants(server: TestApp, only?: readonly string[]): Promise<string[]> {
  return (await checkBooks(server, { only })).map(({ name }) => name);
}

/** Reads on a connection as it is, each statement prepared there once unless it is told not to. */
export function readerOf(client: Pick<Pool, 'query'>, isPrepared = true): SnapshotReader {
  const rows = async <Row extends OffendingRow>(text: string): Promise<Row[]> => {
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    return (await client.query<Row>(isPrepared ? { name, text } : text)).rows;
  };
  return {
    rows,
    async *stream<Row extends OffendingRow>(query: string) {
      yield* await rows<Row>(query);
    },
  };
}

/** The error of a test's call whose answer no document describes. */
export const FAILED = 'answered 500, which is not described';

interface Alteration {
  /** Whose rows. They are put back as they were. */
  table: string;
  /** As the owner of the tables, who can do all. */
  changes?: string[];
  /** As whoever has the login of the server at the database, and nothing else of it. */
  byServer?: string;
  /** The checks of the books that name it; none: only what was stored before stands there, and nothing was done by it. */
  seenBy: string;
}

/**
 * Writes to a table past the server, sees that the check names it and that what is done meanwhile is a security event, and puts the
 * table back as it was. The rows as they were stand in `public.kept` meanwhile. A file that uses this checks all books at its end.
 */
export async function whileAltered(
  server: TestApp,
  { table, changes = [], byServer, seenBy }: Alteration,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const past = (statements: string) =>
    server.owner.query(`begin; set local session_replication_role = replica; ${statements}; commit`);
  await past(`drop table if exists public.kept; create table public.kept as table ${table}; ${changes.join('; ')}`);
  if (byServer !== undefined) expect((await server.resources.pool.query(byServer)).rowCount).toBeGreaterThan(0);
  // Processes remember credentials for less than a second.
  server.clock.advance(1_000);
  try {
    expect(await brokenInvariants(server, [seenBy])).toEqual([seenBy]);
    const before = server.logged.length;
    await meanwhile();
    expect(server.logged.slice(before)).toContain('"event":"stored_record_altered"');
  } finally {
    await past(
      `delete from ${table}; insert into ${table} overriding system value table public.kept; drop table public.kept`,
    );
  }
  server.clock.advance(1_000);
  expect(await brokenInvariants(server, [seenBy])).toEqual([]);
}
