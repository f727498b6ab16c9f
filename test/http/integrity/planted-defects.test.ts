import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import type { SnapshotReader } from '#lib/postgres/long-work.ts';
import { everything, type Invariant, newSince, type Scope } from '#lib/room.ts';
import { checkInvariant, type IntegrityCheck } from '../../../src/modules/proof/checker.ts';
import { invariantsOf, sealedColumns } from '../../../src/rooms.ts';
import { readerOf } from '../../support/books.ts';
import { asOwner, useDatabase } from '../../support/database.ts';
import { checkLedger } from '../../support/ledger.ts';
import { fillRichBooks } from '../../support/rich-books.ts';
import { keyringOf } from '../../support/sealed.ts';
import { plants } from './plants/index.ts';

const database = useDatabase();
/** The server's, once there is one. */
const keyring = {} as Keyring;
/**
 * Without those of the keys, which find every change of a posting, of what routes money and of what is sealed: they have tests of
 * their own, and here the others must find it.
 */
const ofKeys = new Set(['postings_are_authentic', 'sealed_values_open', 'routing_facts_are_authentic']);
const all = invariantsOf({ nubanInstitutionCode: '999', environment: 'live' }, keyring);
const invariants = all.filter(({ name }) => !ofKeys.has(name));
const names = invariants.map(({ name }) => name);
const wholeOnly = new Set(invariants.filter((one) => 'wholeOnly' in one).map(({ name }) => name));
const HOUR_MS = 60 * 60 * 1000;

/** In whose transactions the defects are planted. */
let client: Client;

beforeAll(async () => {
  await fillRichBooks(database.url);
  Object.assign(keyring, await keyringOf(database.url));
  client = new Client({ connectionString: asOwner(database.url) });
  await client.connect();
  await client.query('set session_replication_role = replica');
}, 120_000);
afterAll(() => client.end());

async function check(url: string, since?: Date) {
  const handle = openDatabase(url, 1, () => {});
  try {
    return await checkLedger(handle.db, { invariants: all, ...(since && { since }) });
  } finally {
    await handle.close();
  }
}

const TELL_LIMIT_MS = 60_000;
const recently = newSince(new Date(Date.now() - HOUR_MS));

async function told(scope: Scope, among: readonly Invariant[] = invariants) {
  const snapshots = {
    read: <T>(_limitMs: number, work: (reader: SnapshotReader) => Promise<T>) => work(readerOf(client)),
  };
  const checks: IntegrityCheck[] = [];
  for (const invariant of among) {
    if (scope === everything || !('wholeOnly' in invariant))
      checks.push(await checkInvariant(snapshots, invariant, scope, TELL_LIMIT_MS));
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
      const asked = all.filter((one) => since === undefined || !('wholeOnly' in one));
      expect(checks.map(({ name }) => name)).toEqual(asked.map(({ name }) => name));
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

  it('finds every value that was sealed for another row, or another column, in every column that holds some', async () => {
    await client.query('begin');
    onTestFinished(async () => void (await client.query('rollback')));
    const planted: Record<string, number> = {};
    for (const { table, column } of sealedColumns) {
      const { rowCount } = await client.query(
        `with held as (select ctid, ${column} as sealed, coalesce(lead(${column}) over (order by ctid), nullif(first_value(${column}) over (order by ctid), ${column})) as next from ${table} where ${column} is not null)
           update ${table} t set ${column} = coalesce(held.next, (select bvn_sealed from customers.customer order by id limit 1))
             from held where t.ctid = held.ctid`,
      );
      if (rowCount !== null && rowCount > 0) planted[`${table}.${column}`] = rowCount;
    }
    expect(Object.keys(planted).length).toBeGreaterThan(10);
    const [found] = await told(
      everything,
      all.filter(({ name }) => name === 'sealed_values_open'),
    );
    expect(found?.violations).toBe(Object.values(planted).reduce((sum, count) => sum + count, 0));
    expect(
      await told(
        recently,
        all.filter(({ name }) => name === 'sealed_values_open'),
      ),
    ).toEqual([]);
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
