import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { expect } from 'vitest';
import type { SnapshotReader } from '#lib/postgres/long-work.ts';
import { everything, newSince, type OffendingRow } from '#lib/room.ts';
import { type IntegrityCheck, tell } from '../../src/modules/proof/checker.ts';
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
    const check = await tell(snapshots, invariant, scope, TELL_LIMIT_MS);
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
