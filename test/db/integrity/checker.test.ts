import { describe, expect, it } from 'vitest';
import { openSnapshots } from '#lib/postgres/long-work.ts';
import { everything, type Invariant, type StreamedInvariant } from '#lib/room.ts';
import { invariantsOf } from '../../../src/rooms.ts';
import { eventually } from '../../support/eventually.ts';
import { checkLedger, useLedger } from '../../support/ledger.ts';
import { keyring } from '../../support/outbox.ts';

const ledger = useLedger();
const invariant = (name: string, query: string): Invariant => ({ name, promise: 'something', offenders: () => query });

const lastRun = async () =>
  (await ledger.pool.query('select ok, results from integrity.run order by id desc limit 1')).rows[0];

describe('a check', () => {
  it('goes on when an invariant takes longer than it may, and says which was not finished', async () => {
    const invariants = [
      invariant('slow', 'select pg_sleep(60) as slept'),
      invariant('fine', 'select 1 as one where false'),
      invariant('broken', 'select 7 as seven'),
    ];
    const { ok, checks } = await checkLedger(ledger.db, { invariants, limitMs: 200 });
    expect(ok).toBe(false);
    expect(checks).toMatchObject([
      { name: 'slow', violations: 0, timedOut: true },
      { name: 'fine', violations: 0 },
      { name: 'broken', violations: 1, rows: [{ seven: 7 }] },
    ]);
    expect(checks[1]).not.toHaveProperty('timedOut');
    expect(await lastRun()).toMatchObject({
      ok: false,
      results: [{ name: 'slow', timedOut: true }, {}, { violations: 1 }],
    });
  });

  it('goes on when a stored value cannot be read, and is not ok', async () => {
    const invariants = [
      invariant('unread', `select 'naira'::bigint as amount`),
      invariant('fine', 'select 1 where false'),
    ];
    const { ok, checks } = await checkLedger(ledger.db, { invariants });
    expect(ok).toBe(false);
    expect(checks).toMatchObject([{ error: expect.stringMatching(/^22P02: /) }, { name: 'fine', violations: 0 }]);
  });

  it('shows the first rows of a million, and counts them all', async () => {
    const [check] = (
      await checkLedger(ledger.db, { invariants: [invariant('many', 'select n from generate_series(1, 1000000) n')] })
    ).checks;
    expect(check).toMatchObject({ violations: 1_000_000, rows: { length: 20 } });
  });

  it('writes nothing, whatever an invariant says', async () => {
    const writes = invariant('writes', `select nextval('ledger.account_id_seq') as written`);
    const { checks } = await checkLedger(ledger.db, { invariants: [writes] });
    expect(checks).toMatchObject([{ error: expect.stringMatching(/^25006: /) }]);
  });
});

describe('an invariant that a program tells', () => {
  const find: StreamedInvariant['find'] = async function* find(reader, { since }) {
    if (since !== undefined) return;
    for await (const { n } of reader.stream<{ n: number }>('select n from generate_series(1, 2500) n')) {
      if (n % 2_000 === 0) yield { n };
    }
  };

  it('reads a stream of rows in one snapshot, and names those that offend', async () => {
    const told = { name: 'told', promise: 'something', find };
    expect(await checkLedger(ledger.db, { invariants: [told] })).toMatchObject({
      ok: false,
      checks: [{ name: 'told', violations: 1, rows: [{ n: 2_000 }] }],
    });
    expect(await checkLedger(ledger.db, { invariants: [told], since: new Date('2026-01-01') })).toMatchObject({
      ok: true,
    });
  });

  it('is held to the same time', async () => {
    const endless: StreamedInvariant = {
      name: 'endless',
      promise: 'something',
      async *find(reader) {
        for await (const row of reader.stream('select n from generate_series(1, 1000000000) n'))
          if (row.n === 0) yield row;
      },
    };
    const { checks } = await checkLedger(ledger.db, { invariants: [endless], limitMs: 300 });
    expect(checks).toMatchObject([{ name: 'endless', timedOut: true }]);
  });
});

describe('an invariant that is told month by month', () => {
  const months = `select '2020-0' || n || '-01T00:00:00.000Z' as starts, '2020-0' || n + 1 || '-01T00:00:00.000Z' as ends
      from generate_series(1, 5) n union all select '2020-06-01T00:00:00.000Z', null`;
  /** Tells of each month which it is; what `slow` says takes longer than there is. */
  const byMonth = (
    name: string,
    { slow = 'false', broken = 'false' }: { slow?: string; broken?: string },
  ): Invariant => ({
    name,
    promise: 'something',
    slices: months,
    offenders: ({ moment }) => `select m.at, case when ${slow} then pg_sleep(30) end from generate_series(
      '2020-01-15Z'::timestamptz, '2020-06-15Z', interval '1 month') m (at) where ${moment('m.at')} and (${slow} or ${broken})`,
  });
  const check = async (told: Invariant, limitMs = 700) =>
    (await checkLedger(ledger.db, { invariants: [told], limitMs })).checks[0];
  const found = async (name: string): Promise<Record<string, string>> =>
    (await lastRun()).results.find((one: { name: string }) => one.name === name)?.found;

  it('names the rows of all months, and remembers those that are over and right', async () => {
    const broken = byMonth('some', { broken: `extract(month from m.at) in (2, 6)` });
    expect(await check(broken)).toMatchObject({ violations: 2, rows: [{ at: expect.anything() }, {}] });
    const ends = ['02', '04', '05', '06'].map((month) => `2020-${month}-01T00:00:00.000Z`);
    expect(Object.keys(await found('some')).toSorted()).toEqual(ends);
  });

  it('looks first at what is not known to be right, and then at what was looked at longest ago', async () => {
    const fourth = `extract(month from m.at) = 4`;
    expect(await check(byMonth('long', { slow: fourth }))).toMatchObject({ violations: 0, timedOut: true });
    const first = await found('long');
    expect(Object.keys(first)).toEqual(['2020-06-01T00:00:00.000Z']); // the newest that is over; it had to stop at the one before
    expect(await check(byMonth('long', {}))).not.toHaveProperty('timedOut');
    const second = await found('long');
    expect(Object.keys(second)).toHaveLength(5);
    expect(second['2020-06-01T00:00:00.000Z']).not.toBe(first['2020-06-01T00:00:00.000Z']);
  });

  it('tells what it does not come to as an earlier check found it, and says since when', async () => {
    await check(byMonth('large', {}));
    const before = await found('large');
    const slow = byMonth('large', { slow: `extract(month from m.at) = 3` });
    const checked = await check(slow);
    expect(checked).toMatchObject({ violations: 0, remembered: { since: before['2020-04-01T00:00:00.000Z'] } });
    expect(checked).not.toHaveProperty('timedOut');
    expect((await found('large'))['2020-04-01T00:00:00.000Z']).toBe(before['2020-04-01T00:00:00.000Z']);
    // The same month is first in turn now: what stands behind it would never be looked at again.
    expect(await check(slow)).toMatchObject({ violations: 0, timedOut: true, remembered: { slices: 5 } });
    const broken = byMonth('large', { broken: `extract(month from m.at) = 3` });
    expect(await check(broken)).toMatchObject({ violations: 1 });
    expect(await found('large')).not.toHaveProperty('2020-04-01T00:00:00.000Z');
  });
});

it('closing the connection ends the query that it runs, in the database too', async () => {
  const snapshots = await openSnapshots((ledger.pool.options as { connectionString: string }).connectionString);
  const reading = snapshots.read(60_000, (reader) => reader.rows('select pg_sleep(600)'));
  const asleep = async () =>
    (
      await ledger.pool.query(
        `select 1 from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'`,
      )
    ).rowCount;
  await eventually(async () => expect(await asleep()).toBe(1));
  await Promise.all([snapshots.close(), expect(reading).rejects.toThrow('Connection terminated')]);
  await eventually(async () => expect(await asleep()).toBe(0));
});

it('no invariant minds tables that others drop while it is told', async () => {
  const config = { nubanInstitutionCode: '000000', environment: 'sandbox' };
  const invariants = invariantsOf(config, keyring).filter((one) => 'offenders' in one);
  const { connectionString: databaseUrl } = ledger.pool.options as { connectionString: string };
  await ledger.pool.query('create table ledger.of_nobody (id int, leg int, primary key (id, leg))');
  const snapshots = await openSnapshots(databaseUrl);
  const told: unknown[] = [];
  try {
    await snapshots.read(60_000, async (reader) => {
      await reader.rows('select 1 as begun');
      await ledger.pool.query('drop table ledger.of_nobody');
      for (const one of invariants) {
        await reader.rows('savepoint before');
        const rows = await reader.rows(one.offenders(everything)).catch((error: unknown) => [String(error)]);
        await reader.rows('rollback to before');
        told.push(...rows.map((row) => ({ name: one.name, row })));
      }
    });
  } finally {
    await snapshots.close();
  }
  expect(told).toEqual([]);
});
