import * as fc from 'fast-check';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { createCallQueues } from '#lib/postgres/batch-calls.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { createLongReads } from '#lib/postgres/long-reads.ts';
import { createSemaphore, SemaphoreFull, type Share } from '#lib/semaphore.ts';
import { createLocalThrottle } from '#modules/limits';

describe('a semaphore whose tasks name no share', () => {
  it('never runs more than its limit, never lets more wait, and runs the rest in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 5 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
        async (runningMax, waitingMax, fails) => {
          const semaphore = createSemaphore({ runningMax, waitingMax });
          const begun: number[] = [];
          let running = 0;
          let peak = 0;
          const task = (index: number) => async () => {
            begun.push(index);
            peak = Math.max(peak, ++running);
            await new Promise((resolve) => setImmediate(resolve));
            running -= 1;
            if (fails[index] === true) throw new Error('the task failed');
          };
          const outcomes = await Promise.allSettled(fails.map((_, index) => semaphore.run(task(index))));
          const refused = outcomes.filter((one) => one.status === 'rejected' && one.reason instanceof SemaphoreFull);
          expect(peak).toBeLessThanOrEqual(runningMax);
          expect(refused).toHaveLength(Math.max(0, fails.length - runningMax - waitingMax));
          expect(begun).toEqual(begun.toSorted((a, b) => a - b));
          await expect(semaphore.run(async () => 'free again')).resolves.toBe('free again');
        },
      ),
    );
  });
});

/** Sends tasks of these shares at once, and answers whose began, in order, and whose were refused. */
async function run(limits: Parameters<typeof createSemaphore>[0], shares: readonly Share[]) {
  const semaphore = createSemaphore(limits);
  const begun: string[] = [];
  const refused: string[] = [];
  let running = 0;
  let peak = 0;
  const task = (name: string) => async () => {
    begun.push(name);
    peak = Math.max(peak, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  const outcomes = await Promise.allSettled(shares.map((share) => semaphore.run(task(share.join('/')), share)));
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue;
    if (!(outcome.reason instanceof SemaphoreFull)) throw outcome.reason;
    refused.push(shares[at]?.join('/') ?? '');
  }
  return { begun, refused, peak };
}
const times = (count: number, ...share: Share): Share[] => Array.from({ length: count }, () => share);

describe('a semaphore whose tasks have shares', () => {
  it('serves whoever comes last next, however many of another wait', async () => {
    const { begun } = await run({ runningMax: 1, waitingMax: 99, waitingWithinMax: 99 }, [
      ...times(50, 'flood'),
      ['late'],
    ]);
    expect(begun.slice(0, 3)).toEqual(['flood', 'flood', 'late']);
  });

  it('has shares take turns, one task each, in the order in which they came', async () => {
    const shares = [...times(4, 'a'), ...times(3, 'b'), ...times(2, 'c')];
    const { begun } = await run({ runningMax: 1, waitingMax: 99, waitingWithinMax: 99 }, shares);
    expect(begun.join('')).toBe('aabcabcab');
  });

  it('gives shares within a share one turn together', async () => {
    const shares: Share[] = [['bank'], ...times(3, 'pages', 'x'), ...times(3, 'pages', 'y'), ...times(4, 'bank')];
    const { begun } = await run({ runningMax: 1, waitingMax: 99, waitingWithinMax: 99 }, shares);
    expect(begun.map((name) => name.at(-1)).join('')).toBe('kxkykxkykxy');
  });

  it('refuses what is too much for a share, and nothing of another', async () => {
    const shares: Share[] = [...times(9, 'flood'), ...times(9, 'pages', 'x'), ...times(2, 'pages', 'y'), ['bank']];
    const { refused } = await run({ runningMax: 2, waitingMax: 3, waitingWithinMax: 4 }, shares);
    expect(refused).toEqual(
      [...times(4, 'flood'), ...times(6, 'pages', 'x'), ['pages', 'y']].map((one) => one.join('/')),
    );
  });

  it('never runs more than its limit, and runs everything that it does not refuse', async () => {
    const share = fc.constantFrom<Share>(['a'], ['b'], ['p', 'x'], ['p', 'y']);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(share, { maxLength: 30 }),
        async (runningMax, waitingMax, waitingWithinMax, shares) => {
          const { begun, refused, peak } = await run({ runningMax, waitingMax, waitingWithinMax }, shares);
          expect(peak).toBeLessThanOrEqual(runningMax);
          expect([...begun, ...refused].toSorted()).toEqual(shares.map((one) => one.join('/')).toSorted());
        },
      ),
    );
  });

  it('is free again after a task that failed', async () => {
    const semaphore = createSemaphore({ runningMax: 1, waitingMax: 1, waitingWithinMax: 1 });
    await expect(semaphore.run(() => Promise.reject(new Error('it failed')), ['a'])).rejects.toThrow('it failed');
    await expect(semaphore.run(async () => 'free', ['b'])).resolves.toBe('free');
  });
});

const queuesWith = (waiting: Record<string, number>) => {
  const queues = createCallQueues<{ owner: string; at: number }>();
  for (const [owner, count] of Object.entries(waiting)) {
    for (let at = 0; at < count; at += 1) queues.add({ owner, at });
  }
  return queues;
};
function taken<Batch>(batch: Batch | undefined): Batch {
  if (batch === undefined) throw new Error('there is a batch');
  return batch;
}
const refusal = (work: () => void) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('owners', () => {
  it('share a batch, in the order in which each of them posted', () => {
    const batch = queuesWith({ a: 2, b: 1, c: 3 }).take(2);
    expect(batch?.owners).toEqual(['a', 'b', 'c']);
    expect(batch?.items.map(({ owner, at }) => `${owner}${at}`)).toEqual(['a0', 'a1', 'b0', 'c0', 'c1', 'c2']);
  });

  it('take turns, however much one of them has waiting', () => {
    const queues = queuesWith({ busy: 1_000, b: 1, c: 1 });
    expect(queues.take(2)?.owners).toEqual(['busy']);
    expect(queues.take(2)?.owners).toEqual(['b', 'c']);
    expect(queues.take(2)?.owners).toEqual(['busy']);
  });

  it('with a batch under way have the next one for themselves, and no third', () => {
    const queues = queuesWith({ busy: 200, b: 65 });
    expect(queues.take(2)?.owners).toEqual(['busy']);
    expect(queues.take(2)?.owners).toEqual(['b']);
    expect(queues.take(1)).toBeUndefined();
    expect(queues.take(2)?.owners).toEqual(['busy']);
    expect(queues.take(2)?.owners).toEqual(['b']);
    expect(queues.take(2)).toBeUndefined();
  });

  it('whose shared batch is put back go one by one, in the order in which they came, until they rejoin', () => {
    const queues = queuesWith({ a: 1, b: 1 });
    const shared = taken(queues.take(2));
    queues.add({ owner: 'a', at: 1 });
    queues.putBack(shared);
    const [own, other] = [taken(queues.take(2)), taken(queues.take(2))];
    expect([own, other]).toEqual([
      {
        owners: ['a'],
        items: [
          { owner: 'a', at: 0 },
          { owner: 'a', at: 1 },
        ],
      },
      { owners: ['b'], items: [{ owner: 'b', at: 0 }] },
    ]);
    for (const batch of [own, other]) queues.end(batch);
    queues.add({ owner: 'a', at: 2 });
    queues.add({ owner: 'b', at: 1 });
    expect(queues.take(2)?.owners).toEqual(['a']);
    queues.rejoin(other);
    queues.add({ owner: 'c', at: 0 });
    expect(queues.take(2)?.owners).toEqual(['b', 'c']);
  });
});

describe('what waits is bounded', () => {
  it('for each owner: one more is refused, and another owner is not', () => {
    const queues = queuesWith({ a: 1_024 });
    expect(refusal(() => queues.add({ owner: 'a', at: 0 }))).toMatchObject({ code: 'BUSY', retryAfterS: 1 });
    expect(refusal(() => queues.add({ owner: 'b', at: 0 }))).toBeUndefined();
    expect(queues.take(2)?.items).toHaveLength(64);
    expect(refusal(() => queues.add({ owner: 'a', at: 0 }))).toBeUndefined();
  });

  it('for all together', () => {
    const owners = Array.from({ length: 8 }, (_, at) => [`p${at}`, 1_024] as const);
    const queues = queuesWith(Object.fromEntries(owners));
    expect(refusal(() => queues.add({ owner: 'another', at: 0 }))).toMatchObject({ code: 'BUSY', retryAfterS: 1 });
    const batch = taken(queues.take(2));
    expect(refusal(() => queues.add({ owner: 'another', at: 0 }))).toBeUndefined();
    expect(queues.drain(batch)).toHaveLength(1_024 - 64);
    expect(refusal(() => queues.add({ owner: 'another', at: 1 }))).toBeUndefined();
  });
});

const db = {} as Database;

afterEach(() => {
  vi.useRealTimers();
});

/** A read that ends when it is told to. */
function held() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end: () => end(), read: async () => ended };
}

test('a caller reads one at a time, and others meanwhile: whatever one of them waits for, nobody else does', async () => {
  const readLong = createLongReads(async (read) => read(db), 3);
  const begun: string[] = [];
  const [first, other] = [held(), held()];
  const of = (name: string, read: () => Promise<void>) => async () => {
    begun.push(name);
    return read();
  };
  const reads = [
    readLong('a', of('a1', first.read)),
    readLong(
      'a',
      of('a2', async () => undefined),
    ),
    readLong('b', of('b1', other.read)),
    readLong(
      'c',
      of('c1', async () => undefined),
    ),
  ];
  await reads[3];
  expect(begun).toEqual(['a1', 'b1', 'c1']);
  first.end();
  await reads[1];
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  other.end();
  await Promise.all(reads);
});

test('a caller whose reads wait for each other leaves as much time between them as the last one took, and has its answer at once', async () => {
  vi.useFakeTimers();
  const readLong = createLongReads(async (read) => read(db), 3);
  const begun: string[] = [];
  const takes = (ms: number, name: string) => async () => {
    begun.push(name);
    await vi.advanceTimersByTimeAsync(ms);
    return name;
  };
  const reads = [readLong('a', takes(40, 'a1')), readLong('a', takes(10, 'a2'))];
  await expect(reads[0]).resolves.toBe('a1');
  await vi.advanceTimersByTimeAsync(39);
  expect(begun).toEqual(['a1']);
  await expect(readLong('b', takes(0, 'b1'))).resolves.toBe('b1');
  await vi.advanceTimersByTimeAsync(1);
  await expect(reads[1]).resolves.toBe('a2');

  await expect(readLong('a', takes(0, 'a3'))).resolves.toBe('a3'); // nothing waited behind the last one: there is no rest after it
});

test('of one caller three hundred wait, and one more is told to come again; another caller is not', async () => {
  const readLong = createLongReads(async (read) => read(db), 3);
  const { end, read } = held();
  const waiting = Array.from({ length: 301 }, async () => readLong('a', read));
  await expect(readLong('a', read)).rejects.toMatchObject({ code: 'BUSY', retryAfterS: 1 });
  await expect(readLong('b', async () => 'read')).resolves.toBe('read');
  end();
  await Promise.all(waiting);
  await expect(readLong('a', async () => 'read')).resolves.toBe('read');
});

test('a read that was cancelled because it took too long says so, and when to come again', async () => {
  const readLong = createLongReads(async (read) => read(db), 3);
  const cancelled = new Error('query failed', {
    cause: Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
  });
  await expect(
    readLong('a', async () => {
      throw cancelled;
    }),
  ).rejects.toMatchObject({ code: 'BUSY', message: expect.stringContaining('too long'), retryAfterS: 5 });
  const other = new Error('something else');
  await expect(
    readLong('a', async () => {
      throw other;
    }),
  ).rejects.toBe(other);
});

const frozen = () => {
  let now = 1_000_000;
  return { now: () => new Date(now), advance: (ms: number) => void (now += ms) };
};
const limit = { name: 'calls', points: 3, windowS: 1 };

it('lets as much through in each second as the limit has points, to each key', () => {
  const clock = frozen();
  const throttle = createLocalThrottle(limit, clock);
  for (const key of ['a', 'b', 'a', 'b', 'a', 'b']) throttle.take(key);
  expect(() => throttle.take('a')).toThrow(expect.objectContaining({ code: 'TOO_MANY_REQUESTS', retryAfterS: 1 }));
  clock.advance(1000);
  throttle.take('a', 20);
  expect(() => throttle.take('a')).toThrow(/too many calls/);
  throttle.take('b');
});

it('remembers a hundred thousand keys and not more', () => {
  const throttle = createLocalThrottle({ ...limit, points: 1 }, frozen());
  throttle.take('first');
  throttle.take('second');
  for (let n = 0; n < 99_999; n++) throttle.take(`key ${n}`);
  throttle.take('first'); // forgotten, so counted from zero; that forgets the second
  expect(() => throttle.take('key 99998')).toThrow('too many calls');
});

it('a limit of nothing is off', () => {
  const throttle = createLocalThrottle({ ...limit, points: 0 }, frozen());
  expect(() => {
    for (let n = 0; n < 10; n++) throttle.take('a');
  }).not.toThrow();
});
