import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { everything, newSince, type Scope } from '#lib/invariant.ts';
import type { SnapshotReader } from '#lib/snapshots.ts';
import { invariantsOf } from '../../../src/invariants.ts';
import { type IntegrityCheck, tell } from '../../../src/modules/integrity/tell.ts';
import { readerOf } from '../../support/books.ts';
import { checkLedger } from '../../support/check-ledger.ts';
import { asOwner, useDatabase } from '../../support/database.ts';
import { authenticate } from '../../support/post.ts';
import { fillRichBooks } from '../../support/rich-books.ts';
import { plants } from './plants/index.ts';

const database = useDatabase();
/** Without that of the MACs, which finds every change of a posting: it has a test of its own, and here the others must find it. */
const invariants = invariantsOf({ nubanInstitutionCode: '999', environment: 'live' }, authenticate).filter(
  ({ name }) => name !== 'postings_are_authentic',
);
const names = invariants.map(({ name }) => name);
const wholeOnly = new Set(invariants.filter((one) => 'wholeOnly' in one).map(({ name }) => name));
const HOUR_MS = 60 * 60 * 1000;

/** In whose transactions the defects are planted. */
let client: Client;

beforeAll(async () => {
  await fillRichBooks(database.url);
  client = new Client({ connectionString: asOwner(database.url) });
  await client.connect();
  await client.query('set session_replication_role = replica');
}, 120_000);
afterAll(() => client.end());

async function check(url: string, since?: Date) {
  const handle = openDatabase(url, 1, () => {});
  try {
    return await checkLedger(handle.db, { invariants, ...(since && { since }) });
  } finally {
    await handle.close();
  }
}

const TELL_LIMIT_MS = 60_000;
const recently = newSince(new Date(Date.now() - HOUR_MS));

async function told(scope: Scope) {
  const snapshots = {
    read: <T>(_limitMs: number, work: (reader: SnapshotReader) => Promise<T>) => work(readerOf(client)),
  };
  const checks: IntegrityCheck[] = [];
  for (const invariant of invariants) {
    if (scope === everything || !('wholeOnly' in invariant))
      checks.push(await tell(snapshots, invariant, scope, TELL_LIMIT_MS));
  }
  return broken({ checks });
}

/**
 * Does to the books what no operation of ours does, without triggers, as the connection is set. To change that makes PostgreSQL plan
 * every statement anew. Answers the rows that the last statement returns.
 */
async function plant({ statement, triggers }: (typeof plants)[number]): Promise<Record<string, unknown>[]> {
  if (triggers === 'on') await client.query('set local session_replication_role = origin');
  const results: unknown = await client.query(statement);
  const last = (Array.isArray(results) ? results.at(-1) : results) as { rows: Record<string, unknown>[] };
  return last.rows;
}

const broken = ({ checks }: { checks: readonly IntegrityCheck[] }) => {
  expect(checks.filter(({ timedOut, error }) => timedOut ?? error)).toEqual([]);
  return checks.filter(({ violations }) => violations > 0);
};

describe('the check of the books', () => {
  it.each([undefined, new Date(Date.now() - HOUR_MS)])(
    'finds nothing where everything was done by operations, since %s',
    async (since) => {
      const { ok, checks } = await check(database.url, since);
      expect(broken({ checks })).toEqual([]);
      expect(ok).toBe(true);
      expect(checks.map(({ name }) => name)).toEqual(
        names.filter((name) => since === undefined || !wholeOnly.has(name)),
      );
    },
  );

  it.each(plants)('finds $what, and names it', async (planted) => {
    await client.query('begin');
    onTestFinished(async () => void (await client.query('rollback')));
    const rows = await plant(planted);
    expect(rows.length).toBeGreaterThan(0);
    const found = await told(everything);
    expect(found.map(({ name }) => name).toSorted()).toEqual(planted.seenBy.toSorted());
    expect(found.flatMap((one) => one.rows)).toEqual(
      expect.arrayContaining(rows.map((row) => expect.objectContaining(row))),
    );
    const recent = await told(recently);
    const alsoByDay = planted.seenBy.filter((name) => !wholeOnly.has(name) && !planted.missedByDay?.includes(name));
    expect(recent.map(({ name }) => name).toSorted()).toEqual(alsoByDay.toSorted());
  });

  it('has something planted for each invariant', () => {
    const seen = new Set(plants.flatMap(({ seenBy }) => seenBy));
    expect(names.filter((name) => !seen.has(name))).toEqual([]);
  });

  it('names each invariant once, and says what it promises', () => {
    expect(new Set(names).size).toBe(names.length);
    for (const { name, promise } of invariants) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(promise).toMatch(/^[a-z].*[^.]$/);
    }
  });
});
