import { eq, type SQL, sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moment } from '#lib/postgres/columns.ts';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { type Database, onOneConnection, planForValues } from '#lib/postgres/executor.ts';
import { shaped } from '#lib/postgres/lists.ts';
import { type Given, prepared, preparedColumns, type Written } from '#lib/postgres/prepared.ts';
import { useDatabase } from '../../support/database.ts';

describe('columns', () => {
  const database = useDatabase();
  let handle: DatabaseHandle;

  beforeAll(async () => {
    handle = openDatabase(database.ownerUrl, 1, () => {}); // one connection, so that it knows all that is prepared
    await handle.pool.query(
      `create table thing (id int primary key, title text default 'none', seen_at timestamptz, facts jsonb)`,
    );
  });

  afterAll(async () => handle.close());

  const thing = pgTable('thing', {
    id: integer('id').primaryKey(),
    title: text('title'),
    seenAt: moment('seen_at'),
    facts: jsonb('facts'),
  });
  type Columns = typeof thing.$inferInsert;

  const add = preparedColumns('test.add-thing', thing, (db, written: Written<Columns>) =>
    db.insert(thing).values(written),
  );
  const change = preparedColumns(
    'test.change-thing',
    thing,
    (db, written: Written<Partial<Columns>>, given: Given<{ id: number }>) =>
      db.update(thing).set(written).where(eq(thing.id, given.id)),
  );
  const stored = async () => (await handle.pool.query('select * from thing order by id')).rows;
  const AT = new Date('2026-03-04T05:06:07.089Z');

  it('writes what is given, null too, and leaves what is not to the table', async () => {
    await add(handle.db, { id: 1, seenAt: AT, facts: { a: [1] } }, {});
    await add(handle.db, { facts: null, seenAt: null, title: null, id: 2 }, {});
    expect(await stored()).toEqual([
      { id: 1, title: 'none', seen_at: AT, facts: { a: [1] } },
      { id: 2, title: null, seen_at: null, facts: null },
    ]);
    await change(handle.db, { title: 'new', facts: undefined }, { id: 1 });
    await change(handle.db, { seenAt: null, facts: null, id: 3 }, { id: 2 });
    expect(await stored()).toEqual([
      { id: 1, title: 'new', seen_at: AT, facts: { a: [1] } },
      { id: 3, title: null, seen_at: null, facts: null },
    ]);
  });

  it('has one statement for a set of columns, in whatever order they come and whatever is in them', async () => {
    const count = async () =>
      (await handle.pool.query(`select from pg_prepared_statements where name like 'test.change-thing%'`)).rowCount ??
      0;
    const before = await count();
    await change(handle.db, { id: 1, title: 'a' }, { id: 1 });
    await change(handle.db, { title: null, seenAt: undefined, id: 1 }, { id: 1 });
    expect(await count()).toBe(before + 1);
    await change(handle.db, { id: 1, facts: 1 }, { id: 1 });
    expect(await count()).toBe(before + 2);
  });

  it('names each statement after its columns, whatever was written before', async () => {
    const endsOf = async (name: string, sets: readonly Partial<Columns>[]) => {
      const run = preparedColumns(name, thing, (db, written: Written<Partial<Columns>>, given: Given<{ id: number }>) =>
        db.update(thing).set(written).where(eq(thing.id, given.id)),
      );
      for (const columns of sets) await run(handle.db, columns, { id: 1 });
      const { rows } = await handle.pool.query<{ name: string; statement: string }>(
        `select name, statement from pg_prepared_statements where name like '${name}%'`,
      );
      return Object.fromEntries(rows.map((row) => [row.statement, row.name.slice(name.length)]));
    };
    const [title, facts] = [{ title: 'a' }, { facts: 1 }];
    const ends = await endsOf('test.forth', [title, facts]);
    expect(new Set(Object.values(ends)).size).toBe(2);
    expect(await endsOf('test.back', [facts, title])).toEqual(ends);
  });
});

describe('shapes', () => {
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
});
