import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { noMeter } from '#lib/meter.ts';
import { runSteps, type Step } from '../../../src/worker/steps.ts';

const deps = { log: pino({ level: 'silent' }), metrics: noMeter };

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

  it('one that failed is left to the next run', async () => {
    let tries = 0;
    const failing: Step = {
      name: 'what fails',
      async batch() {
        tries += 1;
        throw new Error('not now');
      },
    };
    await expect(runSteps(deps, [failing, backlog(1_000, () => {})], {})).rejects.toThrow('what failed: what fails');
    expect(tries).toBe(1);
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
