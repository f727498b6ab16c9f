import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSemaphore, SemaphoreFull } from '#lib/semaphore.ts';

describe('a semaphore', () => {
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
          const outcomes = await Promise.allSettled(fails.map((_, index) => semaphore(task(index))));
          const refused = outcomes.filter((one) => one.status === 'rejected' && one.reason instanceof SemaphoreFull);
          expect(peak).toBeLessThanOrEqual(runningMax);
          expect(refused).toHaveLength(Math.max(0, fails.length - runningMax - waitingMax));
          expect(begun).toEqual(begun.toSorted((a, b) => a - b));
          await expect(semaphore(async () => 'free again')).resolves.toBe('free again');
        },
      ),
    );
  });
});
