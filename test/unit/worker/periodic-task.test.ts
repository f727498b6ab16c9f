import { expect, it } from 'vitest';
import { createLog } from '#lib/log.ts';
import { startPeriodicTask } from '../../../src/worker/periodic-task.ts';
import { eventually } from '../../support/eventually.ts';

const lines: string[] = [];
const log = createLog('warn', { write: (line: string) => void lines.push(line) });
const every = { everyMs: 1, log, what: 'the work' };

it('runs again and again, and a run that fails is logged and followed by the next', async () => {
  let done = 0;
  const task = startPeriodicTask(every, async () => {
    done += 1;
    if (done === 2) throw new Error('for once');
  });
  await eventually(() => expect(done).toBeGreaterThan(3));
  await task.close();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['the work failed; the next run tries again']);
});

it('closing waits for the run under way, and begins no other', async () => {
  let [begun, ended] = [0, 0];
  const free = Promise.withResolvers<void>();
  const task = startPeriodicTask(every, async () => {
    begun += 1;
    await free.promise;
    ended += 1;
  });
  await eventually(() => expect(begun).toBe(1));
  const closing = task.close();
  free.resolve();
  await closing;
  expect([begun, ended]).toEqual([1, 1]);
  await task.close();
  expect(begun).toBe(1);
});
