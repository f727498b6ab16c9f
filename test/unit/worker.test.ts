import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createLog } from '#lib/log.ts';
import { type Meter, noMeter } from '#lib/meter.ts';
import { dueCheck } from '#modules/proof';
import { startTasks } from '../../src/worker/start-worker.ts';
import { runSteps, type Step } from '../../src/worker/steps.ts';
import { eventually } from '../support/eventually.ts';

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
      'failed steps: what fails',
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
    await expect(runSteps(deps, [step, others], { elapsedMs })).rejects.toThrow('failed steps: what fails');
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

const lines: string[] = [];
const log = createLog('warn', { write: (line: string) => void lines.push(line) });
const startWork = (run: () => Promise<void>) =>
  startTasks([{ name: 'the work', every: 1, run }], { log, metrics: noMeter });

it('runs again and again, and a run that fails is logged and followed by the next', async () => {
  let done = 0;
  const task = startWork(async () => {
    done += 1;
    if (done === 2) throw new Error('for once');
  });
  await eventually(() => expect(done).toBeGreaterThan(3));
  await task.close();
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['a periodic task failed; its next run retries']);
});

it('closing waits for the run under way, and begins no other', async () => {
  let [begun, ended] = [0, 0];
  const free = Promise.withResolvers<void>();
  const task = startWork(async () => {
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

const at = (text: string) => new Date(`2026-03-${text}:00Z`);
const run = (startedAt: Date, since: Date | null = null) => ({
  id: 1,
  since,
  startedAt,
  finishedAt: startedAt,
  ok: true,
  results: [],
});
const due = (now: string, lastWhole: string, last = lastWhole) =>
  dueCheck(at(now), { lastWhole: run(at(lastWhole)), last: run(at(last)) });
const WHOLE = { since: undefined };

describe('what is to be checked', () => {
  it('is everything where nothing was checked yet, or only what was new', () => {
    expect(dueCheck(at('02T12:00'), { last: undefined, lastWhole: undefined })).toEqual(WHOLE);
    const recent = run(at('02T11:59'), at('02T11:00'));
    expect(dueCheck(at('02T12:00'), { last: recent, lastWhole: undefined })).toEqual(WHOLE);
  });

  it('is everything from two o’clock in Lagos on, once a night', () => {
    expect(due('02T00:59', '01T01:00', '02T00:30')).toBeUndefined();
    expect(due('02T01:00', '01T23:00')).toEqual(WHOLE);
    expect(due('02T01:30', '02T01:00')).toBeUndefined();
    expect(due('04T00:30', '02T01:00', '04T00:10')).toEqual(WHOLE);
  });

  it('is what is new by day, an hour after the last check of any kind, with an overlap', () => {
    expect(due('02T01:59', '02T01:00')).toBeUndefined();
    expect(due('02T02:00', '02T01:00')).toEqual({ since: at('02T00:55') });
    expect(due('02T12:30', '02T01:00', '02T12:00')).toBeUndefined();
    expect(due('02T13:00', '02T01:00', '02T12:00')).toEqual({ since: at('02T11:55') });
  });

  it('is everything that is not sealed, where sealing is behind', () => {
    const runs = { lastWhole: run(at('02T01:00')), last: run(at('02T12:00')) };
    expect(dueCheck(at('02T13:00'), runs, at('02T09:00'))).toEqual({ since: at('02T09:00') });
    expect(dueCheck(at('02T13:00'), runs, at('02T12:00'))).toEqual({ since: at('02T11:55') });
  });
});
