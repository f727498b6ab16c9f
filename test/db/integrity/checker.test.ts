import { describe, expect, it } from 'vitest';
import type { Invariant, StreamedInvariant } from '#lib/invariant.ts';
import { openSnapshots } from '#lib/snapshots.ts';
import { checkLedger } from '../../support/check-ledger.ts';
import { eventually } from '../../support/eventually.ts';
import { useLedger } from '../../support/ledger.ts';

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
  await eventually(async () => expect(await asleep()).toBe(0), { timeoutMs: 10_000 });
});
