import { eq } from 'drizzle-orm';
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { moment } from '#lib/columns.ts';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import type { Given } from '#lib/prepared.ts';
import { preparedColumns, type Written } from '#lib/prepared-columns.ts';
import { useDatabase } from '../../support/database.ts';

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
  const prepared = async () =>
    (await handle.pool.query(`select from pg_prepared_statements where name like 'test.change-thing%'`)).rowCount ?? 0;
  const before = await prepared();
  await change(handle.db, { id: 1, title: 'a' }, { id: 1 });
  await change(handle.db, { title: null, seenAt: undefined, id: 1 }, { id: 1 });
  expect(await prepared()).toBe(before + 1);
  await change(handle.db, { id: 1, facts: 1 }, { id: 1 });
  expect(await prepared()).toBe(before + 2);
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
