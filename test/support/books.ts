import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, expect } from 'vitest';
import type { SnapshotReader } from '#lib/postgres/long-work.ts';
import { everything, newSince, type OffendingRow } from '#lib/room.ts';
import { type IntegrityCheck, tell } from '../../src/modules/proof/checker.ts';
import { invariantsOf } from '../../src/rooms.ts';
import type { TestApp } from './app.ts';
import { asOwner } from './database.ts';

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

/** What the books say of themselves: the names of the invariants that are broken. */
export async function brokenInvariants(server: TestApp): Promise<string[]> {
  const answer = await server.operate('GET', '/ledger/check');
  const { checks } = answer.json<{ checks: { name: string; violations: number }[] }>();
  return checks.filter(({ violations }) => violations > 0).map(({ name }) => name);
}

const TELL_LIMIT_MS = 60_000;

/**
 * Asks the whole check of a server's books, or what it says of what is new since a moment, on a connection of its own where each
 * statement is planned once: for tests that ask it again and again. It answers the invariants that are broken, with their rows.
 */
export function useBookCheck(server: TestApp): (since?: Date) => Promise<IntegrityCheck[]> {
  let client: Client | undefined;
  afterAll(() => client?.end());
  return async (since) => {
    if (client === undefined) {
      client = new Client({ connectionString: asOwner(server.resources.databaseUrl) });
      await client.connect();
    }
    return brokenIn(server, client, since);
  };
}

async function brokenIn({ resources }: TestApp, client: Client, since: Date | undefined): Promise<IntegrityCheck[]> {
  const { keyring, nubanInstitutionCode, environment } = resources;
  const reader = readerOf(client, since === undefined);
  const snapshots = { read: <T>(_limitMs: number, work: (reader: SnapshotReader) => Promise<T>) => work(reader) };
  const broken: IntegrityCheck[] = [];
  for (const invariant of invariantsOf({ nubanInstitutionCode, environment }, keyring)) {
    if (since !== undefined && 'wholeOnly' in invariant) continue;
    const scope = since === undefined ? everything : newSince(since);
    const check = await tell(snapshots, invariant, scope, TELL_LIMIT_MS);
    if (check.violations > 0 || check.error !== undefined) broken.push(check);
  }
  return broken;
}

/** Reads on a connection as it is, each statement prepared there once unless it is told not to. */
export function readerOf(client: Client, isPrepared = true): SnapshotReader {
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
