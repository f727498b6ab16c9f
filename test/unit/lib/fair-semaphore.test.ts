import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairSemaphore, type Share } from '#lib/fair-semaphore.ts';
import { SemaphoreFull } from '#lib/semaphore.ts';

/** Sends tasks of these shares at once, and answers whose began, in order, and whose were refused. */
async function run(limits: Parameters<typeof createFairSemaphore>[0], shares: readonly Share[]) {
  const semaphore = createFairSemaphore(limits);
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
  const outcomes = await Promise.allSettled(shares.map((share) => semaphore.run(share, task(share.join('/')))));
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue;
    if (!(outcome.reason instanceof SemaphoreFull)) throw outcome.reason;
    refused.push(shares[at]?.join('/') ?? '');
  }
  return { begun, refused, peak };
}
const times = (count: number, ...share: Share): Share[] => Array.from({ length: count }, () => share);

describe('a fair semaphore', () => {
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
    const semaphore = createFairSemaphore({ runningMax: 1, waitingMax: 1, waitingWithinMax: 1 });
    await expect(semaphore.run(['a'], () => Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
    await expect(semaphore.run(['b'], async () => 'free')).resolves.toBe('free');
  });
});
