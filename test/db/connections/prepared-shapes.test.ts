import { eq, type SQL, sql } from 'drizzle-orm';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { onOneConnection } from '#lib/one-connection.ts';
import { planForValues } from '#lib/plan-mode.ts';
import { type Given, prepared } from '#lib/prepared.ts';
import { shaped } from '#lib/prepared-shapes.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
let handle: DatabaseHandle;
beforeAll(async () => {
  handle = openDatabase(database.ownerUrl, 1, () => {});
  await handle.pool.query('create table thing (id int primary key, title text)');
  await handle.pool.query(`insert into thing select n, 'common' from generate_series(1, 1000) n`);
});
afterAll(async () => handle.close());

const thing = pgTable('thing', { id: integer('id'), title: text('title') });
/** PostgreSQL makes up its mind after five. */
const OFTEN = 8;

const titled = (db: Database, title: string) => db.select({ id: thing.id }).from(thing).where(eq(thing.title, title));
const named = prepared('test.fixed', (db, given: Given<{ title: string }>) => titled(db, given.title as never));
const plansOf = async (db: Pick<Database, 'execute'>, name: string): Promise<Record<string, unknown>[]> => {
  const plans: SQL = sql`select name, generic_plans::int as generic, custom_plans::int as custom
    from pg_prepared_statements where name like ${name} order by name`;
  return (await db.execute(plans)).rows;
};

it('what is built by a filter is planned each time for what is asked; what is always the same is not', async () => {
  await onOneConnection(handle.longReads, async (one) => {
    for (let time = 0; time < OFTEN; time += 1) {
      await Promise.all([
        named(one, { title: 'common' }),
        shaped(one, 'test.filtered', titled(one, `rare ${time}`)),
        shaped(one, 'test.filtered', sql`select ${time}::int as number`),
      ]);
    }
    expect(await plansOf(one, 'test.fi%')).toEqual([
      { name: expect.stringMatching(/^test\.filtered\./), generic: 0, custom: OFTEN },
      { name: expect.stringMatching(/^test\.filtered\./), generic: 0, custom: OFTEN },
      { name: 'test.fixed', generic: OFTEN - 5, custom: 5 },
    ]);
  });
});

it('a transaction that is to, plans it so too; anywhere else it leaves nothing prepared', async () => {
  await handle.db.transaction(async (tx) => {
    await planForValues(tx);
    for (let time = 0; time < OFTEN; time += 1) await shaped(tx, 'test.inside', titled(tx, 'common'));
    expect(await plansOf(tx, 'test.inside%')).toMatchObject([{ generic: 0, custom: OFTEN }]);
  });
  expect(await shaped(handle.db, 'test.outside', titled(handle.db, 'rare'))).toEqual([]);
  expect(await plansOf(handle.db, 'test.outside%')).toEqual([]);
});

it('an estimate is of what is asked', async () => {
  await handle.pool.query('analyze thing');
  const estimated = (one: Database, title: string) =>
    shaped<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
      one,
      'test.estimate',
      sql`explain (format json) select from thing where title = ${title}`,
    ).then(([plan]) => plan?.['QUERY PLAN'][0].Plan['Plan Rows']);
  await onOneConnection(handle.longReads, async (one) => {
    for (let time = 0; time < OFTEN; time += 1) expect(await estimated(one, 'common')).toBe(1000);
    expect(await estimated(one, 'rare')).toBe(1);
  });
});

it('a migration that changes what is answered is not noticed, by what is built by a filter or is always the same', async () => {
  const ask = () =>
    onOneConnection(handle.longReads, async (one) => shaped(one, 'test.migrated', titled(one, 'common')));
  const askNamed = () => onOneConnection(handle.longReads, async (one) => named(one, { title: 'common' }));
  expect(await ask()).toHaveLength(1000);
  await askNamed();
  await handle.pool.query('alter table thing alter id type bigint');
  expect(await ask()).toHaveLength(1000);
  expect(await ask()).toHaveLength(1000);
  expect(await askNamed()).toHaveLength(1000);
});
