import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { type Meter, noMeter } from '#lib/meter.ts';
import { runSteps, type Step } from '../../../src/worker/steps.ts';

const SECOND_MS = 1_000;
const deps = { log: pino({ level: 'silent' }), metrics: noMeter };

let nowMs = 0;
const elapsedMs = () => nowMs;

describe('while one step has a backlog of many batches', () => {
  /** Of so many batches; `each` is called in each. */
  const backlog = (batches: number, each: (left: number) => void): Step => ({
    name: 'a backlog',
    async batch() {
      each(batches);
      batches -= 1;
      return batches <= 0;
    },
  });

  it('what comes up for another one meanwhile is done before the backlog is', async () => {
    let due = 0;
    let left = 0;
    let doneWith: number | undefined;
    const other: Step = {
      name: 'another',
      async batch() {
        if (due > 0) doneWith ??= left;
        due = 0;
        return true;
      },
    };
    const filling = backlog(1_000, (now) => {
      left = now;
      due += now === 950 ? 1 : 0;
    });
    await runSteps(deps, [other, filling], {});
    expect(doneWith).toBeGreaterThan(0);
    expect(due).toBe(0);
  });

  /** Fails so many times; notes when it was tried. */
  function failing(times: number): Step & { readonly triedAt: number[] } {
    const triedAt: number[] = [];
    return {
      name: 'what fails',
      triedAt,
      async batch() {
        triedAt.push(nowMs / SECOND_MS);
        if (triedAt.length <= times) throw new Error('not now');
        return true;
      },
    };
  }
  /** An hour of batches, each of so many seconds. */
  const anHour = (batchS: number): Step =>
    backlog(3_600 / batchS, () => {
      nowMs += batchS * SECOND_MS;
    });
  const differences = (of: readonly number[]) => of.slice(1).map((at, before) => at - (of[before] ?? 0));

  it.each([0.1, 1, 25])('one that fails is tried again a minute later, by batches of %d s', async (batchS) => {
    const counted: string[] = [];
    const metrics: Meter = { ...noMeter, add: (name) => void counted.push(name) };
    const step = failing(Number.POSITIVE_INFINITY);
    const others = [anHour(batchS), anHour(batchS)];
    await expect(runSteps({ ...deps, metrics }, [step, ...others], { elapsedMs })).rejects.toThrow(
      'what failed: what fails',
    );
    const between = differences(step.triedAt);
    expect(Math.min(...between)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...between)).toBeLessThanOrEqual(60 + 2 * batchS); // a batch of each of the others, under way or begun
    expect(between.length).toBeGreaterThan(70);
    expect(counted).toEqual(step.triedAt.map(() => 'paytag_task_steps_failed_total'));
  });

  it('one that fails, and does not a minute later, has not failed in this run', async () => {
    const step = failing(1);
    await runSteps(deps, [step, anHour(1)], { elapsedMs });
    expect(step.triedAt.length).toBeGreaterThan(1);
  });

  it('one that fails keeps no run open when the others are done', async () => {
    const step = failing(1);
    const others = backlog(1_000, () => {});
    await expect(runSteps(deps, [step, others], { elapsedMs })).rejects.toThrow('what failed: what fails');
    expect(step.triedAt).toHaveLength(1);
  });
});

it('a run that is told to end begins no further batch', async () => {
  const closing = new AbortController();
  let batches = 0;
  const endless: Step = {
    name: 'endless',
    async batch() {
      batches += 1;
      if (batches === 3) closing.abort();
      return false;
    },
  };
  await runSteps(deps, [endless], { closing: closing.signal });
  expect(batches).toBe(3);
});
