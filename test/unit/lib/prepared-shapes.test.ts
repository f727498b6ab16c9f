import { eq, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import type { Executor } from '#lib/database.ts';
import { choosePlans } from '#lib/plan-mode.ts';
import { ALL_SHAPES_MAX, type Select, SHAPES_MAX, shaped } from '#lib/prepared-shapes.ts';

interface Sent {
  name: string;
  text: string;
  values: unknown[];
}

/** A connection that answers no rows, and what was sent over it. */
function connection({
  mayChoose = true,
  fails,
}: {
  mayChoose?: boolean;
  fails?: (sent: Sent) => Error | undefined;
} = {}) {
  const sent: Sent[] = [];
  const client = {
    query: async ({ name, text: asked }: { name: string; text: string }, values: unknown[]) => {
      const one = { name, text: asked, values };
      sent.push(one);
      const failure = fails?.(one);
      if (failure !== undefined) throw failure;
      return { rows: [] };
    },
  };
  if (mayChoose) choosePlans(client);
  return { on: { _: { session: { client } } } as unknown as Executor, sent };
}

const thing = pgTable('thing', { id: integer('id'), title: text('title') });
const db = drizzle.mock();
const titled = (title: string, limit: number): Select<{ id: number | null }> =>
  db.select({ id: thing.id }).from(thing).where(eq(thing.title, title)).limit(limit);
/** As many shapes as there are numbers. */
const shape = (number: number): SQL => sql`select ${sql.raw(String(number))}`;

it('what is asked with other values is sent by the same name', async () => {
  const { on, sent } = connection();
  await shaped(on, 'test.things', titled('a', 1));
  await shaped(on, 'test.things', titled('b', 2));
  await shaped(on, 'test.things', sql`select 1 where ${1} = ${2}`);
  const [things, , other] = sent.slice(1).map(({ name }) => name);
  expect(sent.slice(1)).toMatchObject([
    { name: expect.stringMatching(/^test\.things\.\w+$/), values: ['a', 1] },
    { name: things, values: ['b', 2] },
    { name: expect.stringMatching(/^test\.things\.\w+$/), values: [1, 2] },
  ]);
  expect(other).not.toBe(things);
});

it('the name of what is asked follows from its text, whatever was asked before it', async () => {
  const endsOf = async (list: string, numbers: readonly number[]) => {
    const { on, sent } = connection();
    for (const number of numbers) await shaped(on, list, shape(number));
    return Object.fromEntries(sent.slice(1).map((one) => [one.text, one.name.slice(list.length)]));
  };
  const ends = await endsOf('test.forth', [1, 2, 3]);
  expect(await endsOf('test.back', [3, 2, 1])).toEqual(ends);
  expect(new Set(Object.values(ends)).size).toBe(3);
});

it('what is asked is planned for its values, which is said once', async () => {
  const { on, sent } = connection();
  await shaped(on, 'test.planned', titled('a', 1));
  await shaped(on, 'test.planned', titled('b', 2));
  const named = expect.stringMatching(/^test\.planned\./);
  expect(sent.map(({ name }) => name)).toEqual(['lib.plan-mode', named, named]);
  expect(sent[0]?.values).toEqual(['force_custom_plan']);
});

it('where that cannot be said it goes without a name', async () => {
  const { on, sent } = connection({ mayChoose: false });
  await shaped(on, 'test.pooled', titled('a', 1));
  expect(sent).toMatchObject([{ name: '', values: ['a', 1] }]);
});

it('what a migration has changed is asked again without a name, and then by another one', async () => {
  const changed = Object.assign(new Error('cached plan must not change result type'), {
    code: '0A000',
    routine: 'RevalidateCachedQuery',
  });
  let stale: string | undefined;
  const fails = ({ name }: Sent) => {
    if (name.startsWith('test.changed.')) stale ??= name;
    return name === stale ? changed : undefined;
  };
  const { on, sent } = connection({ fails });
  await shaped(on, 'test.changed', titled('a', 1));
  await shaped(on, 'test.changed', titled('a', 1));
  expect(sent.slice(1).map(({ name }) => name)).toEqual([stale, '', `${stale}.2`]);
});

it('what fails for another reason, or without a name too, fails', async () => {
  const refused = new Error('refused');
  const stale = Object.assign(new Error('it is not prepared'), { code: '26000' });
  const other = connection({ fails: ({ name }) => (name.startsWith('test.') ? refused : undefined) });
  await expect(shaped(other.on, 'test.refused', titled('a', 1))).rejects.toBe(refused);
  const { on } = connection({
    fails: ({ name }) => (name === '' ? refused : name === 'lib.plan-mode' ? undefined : stale),
  });
  await expect(shaped(on, 'test.refused', titled('a', 1))).rejects.toBe(stale);
});

it('so many shapes of a list have a name, and so many of all; any more go without', async () => {
  const { on, sent } = connection();
  const named = async (list: string, count: number) => {
    const before = sent.length;
    for (let number = 1; number <= count; number += 1) await shaped(on, list, shape(number));
    return sent.slice(before).filter(({ name }) => name.startsWith(list)).length;
  };
  expect(await named('test.many', SHAPES_MAX + 5)).toBe(SHAPES_MAX);
  expect(await named('test.many', SHAPES_MAX + 5)).toBe(SHAPES_MAX); // the same ones again
  let all = 0;
  for (let list = 0; list * SHAPES_MAX <= ALL_SHAPES_MAX; list += 1)
    all += await named(`test.list-${list}`, SHAPES_MAX);
  expect(all).toBeLessThanOrEqual(ALL_SHAPES_MAX - SHAPES_MAX);
  expect(all).toBeGreaterThan(ALL_SHAPES_MAX - 2 * SHAPES_MAX);
});
