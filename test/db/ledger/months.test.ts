import { Client } from 'pg';
import { expect, it } from 'vitest';
import { openDatabase } from '#lib/database.ts';
import { makeMonths, measureLedger } from '#modules/ledger';
import { asServer, useDatabase } from '../../support/database.ts';
import { useLedger } from '../../support/ledger.ts';
import { makeMonthsAhead } from '../../support/months-ahead.ts';
import { post } from '../../support/post.ts';
import { postingBetween } from '../../support/posting-between.ts';

const ledger = useLedger();
const database = useDatabase();

/** The last moment of this month in Lagos, which is an hour ahead of UTC all year. */
function lastMoment(): Date {
  const lagos = new Date(Date.now() + 3_600_000);
  return new Date(Date.UTC(lagos.getUTCFullYear(), lagos.getUTCMonth() + 1, 1) - 3_600_001);
}
const partOf = (at: Date): string =>
  `entry_${new Date(at.getTime() + 3_600_000).toISOString().slice(0, 7).replace('-', '_')}`;

it('at the turn of a month in Lagos a posting goes into the part of its month, and reads as one history', async () => {
  const book = await ledger.newBook(100n);
  const last = lastMoment();
  const first = new Date(last.getTime() + 1);
  for (const [at, now] of [last, first].entries()) {
    const named = { owner: book.partner, partner: book.partner, reference: `turn-${at}` };
    await post(ledger.db, postingBetween(book.float, book.wallet, 5n, named), now);
  }
  const { rows } = await ledger.pool.query(
    'select version, closing, tableoid::regclass::text as part from ledger.entry where account_id = $1 order by version',
    [book.wallet],
  );
  expect(rows).toEqual([
    { version: '1', closing: '5', part: `ledger.${partOf(last)}` },
    { version: '2', closing: '10', part: `ledger.${partOf(first)}` },
  ]);
});

it('what is dated before the first month is taken too', async () => {
  const book = await ledger.newBook();
  const named = { owner: book.partner, partner: book.partner, reference: 'long-ago' };
  const at = new Date('2019-05-01');
  const wallet = await ledger.newWallet(book.partner);
  await post(ledger.db, postingBetween(1, wallet, 5n, named), at);
  expect(await ledger.balance(wallet)).toBe(5n);
});

it('months that are missing are made once by servers that do so at once, with the keys and triggers of all others', async () => {
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await makeMonthsAhead(owner);
  const parts = async () => (await owner.query('select * from ledger.entry_parts() order by starts_at')).rows;
  const all = await parts();
  expect(all).toHaveLength(14);
  for (const [at, { ends_at }] of all.slice(0, -1).entries()) expect(all[at + 1].starts_at).toEqual(ends_at);
  for (const { part } of all.slice(-3)) await owner.query(`drop table ledger.${part}`);
  const handle = openDatabase(asServer(database.ownerUrl), 4, () => {});
  expect((await measureLedger(handle.db)).monthsAhead).toBe(9);
  const made = await Promise.all(Array.from({ length: 4 }, () => makeMonths(handle.db)));
  expect(made.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 3]);
  expect(await parts()).toEqual(all);
  const { rows: kinds } = await owner.query(`
    select count(distinct c.conrelid)::int as parts, c.contype, pg_get_constraintdef(c.oid) as definition from pg_constraint c
      join pg_inherits i on i.inhrelid = c.conrelid and i.inhparent = 'ledger.entry'::regclass group by 2, 3`);
  expect(kinds.filter(({ parts: having }) => having !== 14)).toEqual([]);
  await handle.close();
  await owner.end();
});

it('what another process is at is left to it, and is no failure', async () => {
  const other = new Client({ connectionString: database.ownerUrl });
  await other.connect();
  // Statistics of all parts are to be made anew.
  await other.query(`select pg_stat_reset_single_table_counters('ledger.entry'::regclass)`);
  await other.query('begin');
  await other.query(`select pg_advisory_xact_lock('ledger.entry'::regclass::oid::bigint)`);
  await other.query('lock table ledger.entry in share update exclusive mode');
  const handle = openDatabase(asServer(database.ownerUrl), 1, () => {});
  expect(await makeMonths(handle.db)).toBe(0);
  await handle.close();
  await other.end();
});

it('making months gives up where somebody writes to the books for long, and keeps no posting waiting then', async () => {
  await makeMonthsAhead(ledger.pool);
  const busy = await ledger.pool.connect();
  const [{ part }] = (await busy.query('select part from ledger.entry_parts() order by starts_at desc limit 1')).rows;
  await busy.query(`drop table ledger.${part}`);
  const book = await ledger.newBook(100n);
  await busy.query('begin');
  await busy.query('update ledger.account set updated_at = now() where id = $1', [
    await ledger.newWallet(book.partner),
  ]);
  await expect(makeMonths(ledger.db)).rejects.toMatchObject({ cause: { code: '55P03' } });
  const named = { owner: book.partner, partner: book.partner, reference: 'meanwhile' };
  await post(ledger.db, postingBetween(book.float, book.wallet, 5n, named));
  await busy.query('rollback');
  busy.release();
  expect(await makeMonths(ledger.db)).toBe(1);
});
