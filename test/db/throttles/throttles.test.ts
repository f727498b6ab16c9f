import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '#lib/clock.ts';
import { createKeyring } from '#lib/crypto/keyring.ts';
import { openDatabase } from '#lib/database.ts';
import { DomainError } from '#lib/domain-error.ts';
import { createThrottles, type Throttles } from '#modules/throttles';
import { testClock } from '../../support/clock.ts';
import { useDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { testLog } from '../../support/log.ts';
import { useRedis } from '../../support/redis.ts';
import { repetitions } from '../../support/repetitions.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { ThrottleModel } from './throttle-model.ts';

const postgres = useDatabase();
const redis = useRedis();
const kept = testLog();
const keyring = createKeyring(Buffer.alloc(32, 7));
const closers: (() => void | Promise<void>)[] = [];
let keys = 0;
const newKey = () => `somebody-${++keys}`;

/** What one process has: a pool and a connection to Redis of its own. */
function openProcess(redisUrl: string | undefined, clock: Clock = testClock()) {
  const database = openDatabase(postgres.url, 4, () => undefined);
  const throttles = createThrottles({ db: database.db, keyring, clock, log: kept.log, redisUrl });
  closers.push(
    () => throttles.close(),
    () => database.close(),
  );
  return { throttles, clock, pool: database.pool };
}
afterAll(async () => {
  for (const close of closers) await close();
});

/** `ok`, or after how many seconds to come again. */
async function outcome(call: Promise<void>): Promise<'ok' | number> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (error instanceof DomainError && error.code === 'TOO_MANY_REQUESTS') return error.retryAfterS ?? Number.NaN;
    throw error;
  }
}

describe.each(['PostgreSQL', 'Redis'])('on %s', (store) => {
  let two: readonly [Throttles, Throttles];
  beforeAll(() => {
    const url = store === 'Redis' ? redis.url : undefined;
    two = [openProcess(url).throttles, openProcess(url).throttles];
  });

  test.each([[undefined], [{ firstS: 30, maxS: 900 }]])(
    'lets through no more than the limit has points when fifty come at once to two processes (delays %j)',
    async (delays) => {
      const limit = { name: 'guesses', points: 5, windowS: 3600, ...(delays && { delays }) };
      const key = newKey();
      const calls = Array.from({ length: 50 }, (_, n) => outcome(two[n % 2]!.take(limit, key)));
      const outcomes = await Promise.all(calls);
      expect(outcomes.filter((one) => one === 'ok')).toHaveLength(5);
    },
  );

  test('does as the model does, for any calls in any order', async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('take' as const), by: fc.integer({ min: 1, max: 3 }) }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), by: fc.integer({ min: 1, max: 90 }) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('look' as const), by: fc.constant(0) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), by: fc.constant(0) }) },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('giveBack' as const), by: fc.integer({ min: 1, max: 3 }) }),
      },
    );
    const delays = fc.option(
      fc.record({ firstS: fc.integer({ min: 1, max: 20 }), maxS: fc.integer({ min: 20, max: 80 }) }),
    );
    const points = fc.integer({ min: 1, max: 4 });
    let now = new Date('2026-03-01T00:00:00Z').getTime();
    const clock = { now: () => new Date(now) };
    const { throttles } = openProcess(store === 'Redis' ? redis.url : undefined, clock);
    await fc.assert(
      fc.asyncProperty(points, delays, fc.array(step, { maxLength: 25 }), async (most, growing, steps) => {
        const limit = { name: 'steps', points: most, windowS: 60, ...(growing && { delays: growing }) };
        const model = new ThrottleModel(limit);
        const key = newKey();
        const answers: ('ok' | number)[] = [];
        const expected: typeof answers = [];
        for (const { kind, by } of steps) {
          if (kind === 'wait') now += by * 1000;
          else if (kind === 'giveBack') {
            await throttles.giveBack(limit, key, by);
            model.giveBack(by);
          } else if (kind === 'reset') {
            await throttles.reset(limit, key);
            model.reset();
          } else {
            answers.push(
              await outcome(kind === 'take' ? throttles.take(limit, key, by) : throttles.assertOpen(limit, key)),
            );
            expected.push((kind === 'take' ? model.take(by, now / 1000) : model.look(now / 1000)) || 'ok');
          }
        }
        expect(answers).toEqual(expected);
      }),
      { numRuns: repetitions({ short: 20, soak: 600 }) },
    );
  });

  test('counts by a limit that refuses nobody, and lists nothing of it', async () => {
    const [here, there] = two;
    const credit = { name: 'credits', points: 1, windowS: 3600, refusesNobody: true } as const;
    const key = newKey();
    const before = await there.countClosed(1000);
    await here.take(credit, key);
    expect(await there.isOpen(credit, key)).toBe(false);
    expect((await there.closed(1000)).map(({ name }) => name)).not.toContain('credits');
    expect(await there.countClosed(1000)).toBe(before);
  });

  test('what refuses is listed page by page, that first which opens last, found by its id, and opened', async () => {
    const [here, there] = two;
    const name = `listed on ${store}`;
    const ofOurs = (all: { name: string }[]) => all.filter((one) => one.name === name);
    for (const windowS of [50_000, 90_000, 70_000]) await here.take({ name, points: 1, windowS }, newKey());
    const listed = ofOurs(await there.closed(100)) as Awaited<ReturnType<Throttles['closed']>>;
    expect(listed).toEqual(listed.toSorted((one, other) => other.until.getTime() - one.until.getTime()));
    const [first, ...rest] = listed;
    if (first === undefined) throw new Error('none refuses');
    expect(ofOurs(await there.closed(100, { at: first.until, id: first.id }))).toEqual(rest);
    expect(await there.findClosed(first.id)).toEqual(first);
    const count = await there.countClosed(100);
    await there.open(first.id);
    expect([await here.findClosed(first.id), await here.countClosed(100)]).toEqual([undefined, count - 1]);
    expect([listed.length, rest.length]).toEqual([3, 2]);
  });

  test('one key’s points are separate from other keys’ and other limits’', async () => {
    const [throttles] = two;
    const key = newKey();
    await throttles.take({ name: 'one', points: 1, windowS: 60 }, key);
    expect(await outcome(throttles.take({ name: 'one', points: 1, windowS: 60 }, newKey()))).toBe('ok');
    expect(await outcome(throttles.take({ name: 'other', points: 1, windowS: 60 }, key))).toBe('ok');
    expect(await outcome(throttles.take({ name: 'one', points: 1, windowS: 60 }, key))).toBeGreaterThan(0);
  });

  test('a limit of nothing is off', async () => {
    const off = { name: 'off', points: 0, windowS: 60 };
    for (let n = 0; n < 3; n++) expect(await outcome(two[0].take(off, 'anybody'))).toBe('ok');
    expect(await outcome(two[0].assertOpen(off, 'anybody'))).toBe('ok');
  });
});

describe('what the stores hold', () => {
  test('identifies no one', async () => {
    const { throttles, pool } = openProcess(undefined);
    await throttles.take({ name: 'bvns', points: 9, windowS: 60 }, '22212345678');
    const { rows } = await pool.query<{ text: string }>(
      "select encode(key, 'escape') || c::text as text from throttles.counter c",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('22212345678');
  });
});

describe('while Redis is away', () => {
  beforeEach(() => redis.start());

  test('PostgreSQL counts: no limit is lifted, no call waits long, and the log says so once', async () => {
    const limit = { name: 'guesses', points: 3, windowS: 3600 };
    const { throttles } = openProcess(redis.url);
    const key = newKey();
    await throttles.take(limit, key);
    await redis.stop();
    const outcomes: ('ok' | number)[] = [];
    for (let n = 0; n < 6; n++) outcomes.push(await outcome(throttles.take(limit, key)));
    expect(outcomes.filter((one) => one === 'ok')).toHaveLength(3);
    const said = kept.lines.filter(({ msg }) => String(msg).includes('counting in Redis'));
    expect(said).toEqual([expect.objectContaining({ level: 50 })]);
  });

  test('from the beginning, a process counts all the same, and in Redis once it is there', async () => {
    await redis.stop();
    const limit = { name: 'late', points: 1, windowS: 3600 };
    const { throttles } = openProcess(redis.url);
    const key = newKey();
    expect(await outcome(throttles.take(limit, key))).toBe('ok');
    expect(await outcome(throttles.take(limit, key))).toBeGreaterThan(0);
    await redis.start();
    await eventually(async () => {
      await throttles.take(limit, newKey());
      expect(kept.lines.at(-1)).toMatchObject({ msg: expect.stringContaining('works again') });
    });
  });
});

describe('while Redis is slow', () => {
  const stoppedClock = () => {
    const clock = testClock();
    clock.stop();
    return clock;
  };
  const day = { points: 3, windowS: 86_400 };

  test('what was guessed before counts, and what is guessed then counts afterwards; other limits may begin anew', async () => {
    await redis.start();
    const proxy = await startTcpProxy(redis.url);
    const { throttles } = openProcess(proxy.url, stoppedClock());
    const key = newKey();
    const spend = async (name: string) => outcome(throttles.take({ name, ...day }, key));
    expect([await spend('logins'), await spend('logins'), await spend('test events')]).toEqual(['ok', 'ok', 'ok']);
    proxy.slowDown(1_000);
    const begun = performance.now();
    expect(await spend('test events')).toBe('ok');
    expect(performance.now() - begun).toBeGreaterThan(400); // it was asked, and did not answer in time
    expect([await spend('logins'), await spend('logins')]).toEqual(['ok', day.windowS]);
    proxy.slowDown(0);
    await eventually(async () => {
      await throttles.take({ name: 'test events', ...day }, newKey());
      expect(kept.lines.at(-1)).toMatchObject({ msg: expect.stringContaining('works again') });
    });
    expect(await spend('logins')).toBe(day.windowS);
    await proxy.close();
  });

  test('what refuses is listed whichever store counts it, found by its id, and opened', async () => {
    await redis.start();
    const { throttles, clock } = openProcess(redis.url, stoppedClock());
    const mine = newKey();
    const limits = ['wrong codes', 'test events'].map((name, place) => ({ name, points: 1, windowS: 9_000 + place }));
    for (const limit of limits) await throttles.take(limit, mine);
    const before = await throttles.countClosed(1000);
    const ends = limits.map(({ windowS }) => clock.now().getTime() + windowS * 1000);
    const listed = (await throttles.closed(1000)).filter(({ until }) => ends.includes(until.getTime()));
    expect(listed.map(({ name }) => name)).toEqual(['test events', 'wrong codes']);
    for (const one of listed) {
      expect(await throttles.findClosed(one.id)).toEqual(one);
      await throttles.open(one.id);
      expect(await throttles.findClosed(one.id)).toBeUndefined();
    }
    expect(await throttles.countClosed(1000)).toBe(before - 2);
    for (const limit of limits) expect(await outcome(throttles.take(limit, mine))).toBe('ok');
  });
});
