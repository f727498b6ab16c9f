import { afterEach, expect, it, test } from 'vitest';
import { eq, type SQL, sql } from '#drizzle';
import { drizzle } from '#drizzle/node-postgres';
import { integer, pgTable, text, timestamp } from '#drizzle/pg-core';
import { createLog } from '#lib/log.ts';
import { type DatabaseClock, type DatabaseClockOptions, openDatabaseClock } from '#lib/postgres/database-clock.ts';
import { choosePlans, type Executor } from '#lib/postgres/executor.ts';
import { ALL_SHAPES_MAX, type Select, SHAPES_MAX, shaped } from '#lib/postgres/lists.ts';
import { rowMapper } from '#lib/postgres/prepared.ts';
import { eventually } from '../../support/eventually.ts';

const wallet = pgTable('wallet', { id: integer('id'), at: timestamp('at', { withTimezone: true, mode: 'date' }) });
const profile = pgTable('profile', { name: text('name'), note: text('note') });

const columns = [
  { path: ['wallet', 'id'], field: wallet.id },
  { path: ['wallet', 'at'], field: wallet.at },
  { path: ['profile', 'name'], field: profile.name },
  { path: ['profile', 'note'], field: profile.note },
  { path: ['count'], field: sql`count(*)`.mapWith(Number) },
];

test('a row becomes an object of objects, each value as its column reads it', () => {
  const toRow = rowMapper(columns, { wallet: true, profile: false });
  expect(toRow?.([7, '2026-11-22 18:00:00+00', 'Ada', null, '3'])).toEqual({
    wallet: { id: 7, at: new Date('2026-11-22T18:00:00Z') },
    profile: { name: 'Ada', note: null },
    count: 3,
  });
});

test('what a left join did not find is null, and what a join always finds is not', () => {
  const nothing = [null, null, null, null, '0'];
  expect(rowMapper(columns, { wallet: true, profile: false })?.(nothing)).toEqual({
    wallet: { id: null, at: null },
    profile: null,
    count: 0,
  });
  expect(rowMapper(columns, undefined)?.(nothing)).toMatchObject({ profile: { name: null, note: null } });
});

test('an object of columns of two tables is there, whatever was found', () => {
  const both = [
    { path: ['both', 'id'], field: wallet.id },
    { path: ['both', 'name'], field: profile.name },
  ];
  expect(rowMapper(both, {})?.([null, 'Ada'])).toEqual({ both: { id: null, name: 'Ada' } });
});

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

const HOUR_MS = 3_600_000;
const open: DatabaseClock[] = [];

afterEach(() => {
  for (const clock of open.splice(0)) clock.close();
});

/** A machine and a database, whose clocks are set by hand. */
function world() {
  const lines: string[] = [];
  const time = { monotonic: 1_000, machine: 5 * HOUR_MS, database: 7 * HOUR_MS, wayThereMs: 0, wayBackMs: 0, asked: 0 };
  const pass = (ms: number) => {
    time.monotonic += ms;
    time.machine += ms;
    time.database += ms;
  };
  const start = async (given: Partial<DatabaseClockOptions> = {}) => {
    const clock = await openDatabaseClock({
      ask: async () => {
        time.asked += 1;
        pass(time.wayThereMs);
        const answer = time.database;
        pass(time.wayBackMs);
        return answer;
      },
      log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
      monotonicMs: () => time.monotonic,
      machineMs: () => time.machine,
      everyMs: 1,
      ...given,
    });
    open.push(clock);
    return clock;
  };
  const askedAgain = async () => {
    const { asked } = time;
    await eventually(() => expect(time.asked).toBeGreaterThan(asked + 1));
  };
  return { time, pass, start, askedAgain, lines };
}

it('tells the time of the database, and goes on by itself between two measurements', async () => {
  const { time, pass, start } = world();
  const clock = await start({ everyMs: HOUR_MS });
  expect(clock.now().getTime()).toBe(time.database);
  pass(90_000);
  expect(clock.now().getTime()).toBe(time.database);
});

it('does not see that the clock of the machine is set, and says so in the log, once, until it is right again', async () => {
  const { time, start, askedAgain, lines } = world();
  time.machine = time.database;
  const measured: number[] = [];
  const clock = await start({ measured: (ahead) => void measured.push(ahead) });
  expect([clock.machineAheadMs, lines]).toEqual([0, []]);
  time.machine += 400 * 24 * HOUR_MS;
  expect(clock.now().getTime()).toBe(time.database);
  await askedAgain();
  expect(clock.now().getTime()).toBe(time.database);
  expect([clock.machineAheadMs, measured.at(-1)]).toEqual([400 * 24 * HOUR_MS, 400 * 24 * HOUR_MS]);
  time.machine = time.database - 4_000;
  await askedAgain();
  expect(lines).toEqual([
    'the clock of this machine differs from the database’s, which counts: set it right',
    'the clock of this machine agrees with the database’s again',
  ]);
});

it('is not moved by an answer that was long on its way, and follows a database whose clock was set', async () => {
  const { time, pass, start, askedAgain } = world();
  const clock = await start();
  Object.assign(time, { wayThereMs: 900, wayBackMs: 0 }); // the middle of such a way is not when it was answered
  await askedAgain();
  expect(Math.abs(clock.now().getTime() - time.database)).toBeLessThan(5);
  time.wayThereMs = 0;
  time.database += HOUR_MS; // another server has taken over
  await askedAgain();
  expect(clock.now().getTime()).toBe(time.database);
  pass(1);
  expect(clock.now().getTime()).toBe(time.database);
});

it('goes on while the database is away, and never runs backwards by little', async () => {
  const { time, pass, start } = world();
  let isAway = false;
  const ask = async () => {
    time.asked += 1;
    if (isAway) throw new Error('away');
    return time.database;
  };
  const clock = await start({ ask });
  const before = clock.now();
  isAway = true;
  pass(60_000);
  const { asked } = time;
  await eventually(() => expect(time.asked).toBeGreaterThan(asked + 1));
  expect(clock.now().getTime() - before.getTime()).toBe(60_000);
  isAway = false;
  time.database -= 300;
  await eventually(() => expect(time.asked).toBeGreaterThan(asked + 4));
  expect(clock.now().getTime() - before.getTime()).toBe(60_000);
});
