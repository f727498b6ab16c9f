import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '#lib/clock.ts';
import { createKeyring } from '#lib/crypto/keyring.ts';
import { DomainError } from '#lib/domain-error.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { createThrottles, type Throttles } from '#modules/limits';
import { testClock } from '../../support/app.ts';
import { repetitions } from '../../support/cases.ts';
import { useDatabase } from '../../support/database.ts';
import { testLog } from '../../support/log.ts';

const keyring = createKeyring(Buffer.alloc(32, 7));
let keys = 0;
export const newKey = () => `somebody-${++keys}`;

/** `ok`, or after how many seconds to come again. */
export async function outcome(call: Promise<void>): Promise<'ok' | number> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (error instanceof DomainError && error.code === 'TOO_MANY_REQUESTS') return error.retryAfterS ?? Number.NaN;
    throw error;
  }
}

/** Processes that count in one database of this file, or in a Redis before it. */
export function useProcesses() {
  const postgres = useDatabase();
  const kept = testLog();
  const closers: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closers) await close();
  });
  /** What one process has: a pool and a connection to Redis of its own. */
  const openProcess = (redisUrl: string | undefined, clock: Clock = testClock()) => {
    const database = openDatabase(postgres.url, 4, () => undefined);
    const throttles = createThrottles({ db: database.db, keyring, clock, log: kept.log, redisUrl });
    closers.push(
      () => throttles.close(),
      () => database.close(),
    );
    return { throttles, clock, pool: database.pool };
  };
  return { kept, openProcess };
}

/** What counts by limits keeps, whatever store counts. */
export function countsByLimits(
  store: string,
  { openProcess }: ReturnType<typeof useProcesses>,
  redisUrl: () => string | undefined,
): void {
  describe(`on ${store}`, () => {
    let two: readonly [Throttles, Throttles];
    beforeAll(() => {
      two = [openProcess(redisUrl()).throttles, openProcess(redisUrl()).throttles];
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
        {
          weight: 3,
          arbitrary: fc.record({ kind: fc.constant('wait' as const), by: fc.integer({ min: 1, max: 90 }) }),
        },
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
      const { throttles } = openProcess(redisUrl(), clock);
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
      const credit = { name: 'credits', points: 1, windowS: 3600, isUnlisted: true } as const;
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
}

/** What a limit must do, in a few lines that know no store. Times are seconds. */
class ThrottleModel {
  readonly #limit: { points: number; windowS: number; delays?: { firstS: number; maxS: number } };
  #spent = 0;
  #endsAt = 0;
  #closedUntil = 0;

  constructor(limit: { points: number; windowS: number; delays?: { firstS: number; maxS: number } }) {
    this.#limit = limit;
  }

  /** For how long it is closed; 0 when it is open. */
  look(now: number): number {
    if (this.#endsAt <= now) this.reset();
    return Math.max(0, this.#closedUntil - now);
  }

  /** 0 when it let through. */
  take(cost: number, now: number): number {
    const closed = this.look(now);
    if (closed > 0) return closed;
    const { points, windowS, delays } = this.#limit;
    this.#spent += cost;
    if (this.#endsAt === 0 || delays !== undefined) this.#endsAt = now + windowS;
    if (this.#spent < points) return 0;
    const extra = this.#spent - points;
    this.#closedUntil = delays === undefined ? this.#endsAt : now + Math.min(delays.firstS * 2 ** extra, delays.maxS);
    return 0;
  }

  giveBack(cost: number): void {
    this.#spent = Math.max(0, this.#spent - cost);
    this.#closedUntil = 0;
  }

  reset(): void {
    this.#spent = 0;
    this.#endsAt = 0;
    this.#closedUntil = 0;
  }
}
