import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { invariantsOf } from '../../../src/invariants.ts';
import { checkLedger } from '../../support/check-ledger.ts';
import { asOwner, copyDatabase, useDatabase } from '../../support/database.ts';
import { authenticate } from '../../support/post.ts';
import { fillRichBooks } from '../../support/rich-books.ts';
import { plants } from './plants/index.ts';

const database = useDatabase();
/** Without that of the MACs, which finds every change of a posting: it has a test of its own, and here the others must find it. */
const invariants = invariantsOf({ nubanInstitutionCode: '999' }, authenticate).filter(
  ({ name }) => name !== 'postings_are_authentic',
);
const names = invariants.map(({ name }) => name);
const wholeOnly = new Set(invariants.filter((one) => 'wholeOnly' in one).map(({ name }) => name));
const HOUR_MS = 60 * 60 * 1000;

beforeAll(() => fillRichBooks(database.url), 120_000);

async function check(url: string, since?: Date) {
  const handle = openDatabase(url, 1, () => {});
  try {
    return await checkLedger(handle.db, { invariants, ...(since && { since }) });
  } finally {
    await handle.close();
  }
}

/** Does to a copy of the books what no operation of ours does. Answers the rows that the last statement returns. */
async function plant(
  url: string,
  { statement, triggers }: (typeof plants)[number],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: asOwner(url) });
  await client.connect();
  try {
    if (triggers !== 'on') await client.query('set session_replication_role = replica');
    const results: unknown = await client.query(statement);
    const last = (Array.isArray(results) ? results.at(-1) : results) as { rows: Record<string, unknown>[] };
    return last.rows;
  } finally {
    await client.end();
  }
}

const broken = ({ checks }: Awaited<ReturnType<typeof check>>) => {
  expect(checks.filter(({ timedOut, error }) => timedOut ?? error)).toEqual([]);
  return checks.filter(({ violations }) => violations > 0);
};

describe('the check of the books', () => {
  it.each([undefined, new Date(Date.now() - HOUR_MS)])(
    'finds nothing where everything was done by operations, since %s',
    async (since) => {
      const { ok, checks } = await check(database.url, since);
      expect(broken({ ok, checks })).toEqual([]);
      expect(ok).toBe(true);
      expect(checks.map(({ name }) => name)).toEqual(
        names.filter((name) => since === undefined || !wholeOnly.has(name)),
      );
    },
  );

  it.each(plants)('finds $what, and names it', async (planted) => {
    const url = await copyDatabase(database.url);
    const rows = await plant(url, planted);
    expect(rows.length).toBeGreaterThan(0);
    const found = broken(await check(url));
    expect(found.map(({ name }) => name).toSorted()).toEqual(planted.seenBy.toSorted());
    expect(found.flatMap((one) => one.rows)).toEqual(
      expect.arrayContaining(rows.map((row) => expect.objectContaining(row))),
    );
    const recent = broken(await check(url, new Date(Date.now() - HOUR_MS)));
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
