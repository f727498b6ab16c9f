import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAdmission, type Task } from '../../../src/lib/admission.ts';

/** An admission of 16 places with a clock of its own, and what became of each task. */
function opened() {
  vi.useFakeTimers();
  const clock = { ms: 0 };
  const admission = createAdmission(16, () => clock.ms);
  const outcomes = new Map<Task, boolean | undefined>();
  const started: Task[] = [];
  function enter(caller: string): Task {
    const task: Task = {
      caller,
      decide(mayRun) {
        expect(outcomes.get(task)).toBeUndefined();
        outcomes.set(task, mayRun);
        if (mayRun) started.push(task);
      },
    };
    outcomes.set(task, undefined);
    admission.enter(task);
    return task;
  }
  const tick = (ms: number) => {
    clock.ms += ms;
    vi.advanceTimersByTime(ms);
  };
  return {
    admission,
    enter,
    enterMany: (count: number, caller: string) => Array.from({ length: count }, () => enter(caller)),
    tick,
    of: (tasks: readonly Task[], outcome: boolean | undefined) =>
      tasks.filter((task) => outcomes.get(task) === outcome).length,
    started,
  };
}

afterEach(() => void vi.useRealTimers());

describe('admission', () => {
  it('lets a burst wait: each task runs as soon as there is a place', () => {
    const { admission, enterMany, tick, of, started } = opened();
    const tasks = [...enterMany(28, 'ada'), ...enterMany(20, 'bola')];
    expect(of(tasks, true)).toBe(16);
    for (let n = 0; n < 32; n++) {
      tick(1);
      admission.leave(started[n] as Task);
    }
    expect(of(tasks, true)).toBe(48);
  });

  it('lets 16 tasks of one caller wait and 32 of all, refuses one more at once, and the others after a second', () => {
    const { admission, enterMany, tick, of } = opened();
    const ada = enterMany(12 + 17, 'ada');
    expect([of(ada, true), of(ada, undefined), of(ada, false)]).toEqual([12, 16, 1]);
    const others = [...enterMany(4 + 8, 'bola'), ...enterMany(9, 'chidi')];
    expect([of(others, true), of(others, undefined), of(others, false)]).toEqual([4, 16, 1]);
    expect(admission.isFullFor('dayo')).toBe(true);
    tick(950);
    expect(of([...ada, ...others], undefined)).toBe(32);
    tick(50);
    expect([of(ada, false), of(others, false)]).toEqual([17, 17]);
    expect(admission.isFullFor('ada')).toBe(false);
  });

  it('has callers take turns: one task of another waits for one task of each before it', () => {
    const { admission, enterMany, of, started } = opened();
    enterMany(12 + 10, 'ada');
    enterMany(4 + 10, 'bola');
    const [one] = enterMany(1, 'chidi') as [Task];
    for (const running of started.slice(0, 3)) admission.leave(running);
    expect(of([one], true)).toBe(1);
  });

  it('takes the newest of a line first', () => {
    const { admission, enterMany, of, started } = opened();
    enterMany(16, 'ada');
    const [first, last] = [enterMany(1, 'ada'), enterMany(1, 'ada')];
    admission.leave(started[0] as Task);
    expect([of(first, undefined), of(last, true)]).toEqual([1, 1]);
  });

  it('finds a place for another however many tasks of one caller never end', () => {
    const { admission, enterMany, tick, of } = opened();
    enterMany(500, 'ada');
    tick(500);
    enterMany(500, 'ada');
    expect(admission.isFullFor('ada')).toBe(true);
    expect(admission.isFullFor('bola')).toBe(false);
    expect(of(enterMany(4, 'bola'), true)).toBe(4);
  });

  it('takes no place for what a task does elsewhere, until its caller does too much there', async () => {
    const { admission, enter, enterMany, of, started } = opened();
    enterMany(12, 'ada');
    enterMany(4, 'bola');
    const asked = enter('chidi');
    const { promise, resolve } = Promise.withResolvers<string>();
    const works = started.map((task) => admission.elsewhere(task, () => promise));
    expect(of([asked], true)).toBe(1);
    for (const many of [12, 8, 12]) {
      for (const task of enterMany(many, 'ada')) works.push(admission.elsewhere(task, () => promise));
    }
    const [last] = enterMany(1, 'ada'); // 32 are elsewhere, and the last 12 keep their places
    expect(of([last as Task], undefined)).toBe(1);
    expect(of(enterMany(3, 'chidi'), true)).toBe(3);
    for (const task of started.slice()) admission.leave(task); // as a request that is answered while its work goes on
    resolve('answered');
    await Promise.all(works);
    expect(of(enterMany(12, 'ada'), true)).toBe(11); // beside the one that waited
  });

  it('ends as many as wait, each as soon as it begins', () => {
    const { admission, enter, enterMany, started } = opened();
    enterMany(8, 'ada');
    enterMany(8, 'bola');
    const [first] = started;
    let ended = 0;
    for (let n = 0; n < 32; n++) {
      const task: Task = {
        caller: n % 2 === 0 ? 'ada' : 'bola',
        decide() {
          ended += 1;
          admission.leave(task);
        },
      };
      admission.enter(task);
    }
    expect(ended).toBe(0);
    admission.leave(first as Task);
    expect(ended).toBe(32);
    expect(enter('ada').caller).toBe('ada');
  });

  it('goes on with a task as what asked for it, not as what made room for it', () => {
    const admission = createAdmission(16);
    const request = new AsyncLocalStorage<string>();
    const enter = (name: string, decide: () => void): Task => {
      const task = { caller: 'ada', decide };
      request.run(name, () => admission.enter(task));
      return task;
    };
    const [first] = Array.from({ length: 12 }, () => enter('first', () => {}));
    let going: string | undefined;
    enter('second', () => (going = request.getStore()));
    request.run('first', () => admission.leave(first as Task));
    expect(going).toBe('second');
  });

  it('decides each task once, and runs no more than there are places, whatever comes when', () => {
    vi.useFakeTimers();
    const callers = ['ada', 'bola', 'chidi'] as const;
    const step = fc.oneof(
      fc.record({ enter: fc.constantFrom(...callers) }),
      fc.record({ leave: fc.nat() }),
      fc.record({ tick: fc.nat({ max: 60 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const clock = { ms: 0 };
        const admission = createAdmission(16, () => clock.ms);
        const running: Task[] = [];
        let waiting = 0;
        for (const one of steps) {
          if ('enter' in one) {
            waiting += 1;
            const { enter: caller } = one;
            const task: Task = {
              caller,
              decide(mayRun) {
                waiting -= 1;
                if (mayRun) running.push(task);
              },
            };
            admission.enter(task);
          } else if ('leave' in one) {
            const [task] = running.splice(one.leave % Math.max(1, running.length), 1);
            if (task !== undefined) admission.leave(task);
          } else {
            clock.ms += one.tick;
            vi.advanceTimersByTime(one.tick);
          }
          expect(running.length).toBeLessThanOrEqual(16);
          for (const caller of callers)
            expect(running.filter((of) => of.caller === caller).length).toBeLessThanOrEqual(12);
        }
        clock.ms += 2000;
        vi.advanceTimersByTime(2000);
        expect(waiting).toBe(0);
      }),
    );
  });
});
