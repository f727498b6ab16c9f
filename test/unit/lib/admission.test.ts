import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { boundsOf, createAdmission, type Task } from '../../../src/lib/admission.ts';

/** An admission of 16 places with a clock of its own, and what became of each task. */
export function opened() {
  vi.useFakeTimers();
  const clock = { ms: 0 };
  const admission = createAdmission(boundsOf(16), { now: () => clock.ms });
  const outcomes = new Map<Task, boolean | undefined>();
  const started: Task[] = [];
  function enter(caller: string, isSheddable = false): Task {
    const task: Task = {
      caller,
      isSheddable,
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
    enterMany: (count: number, caller: string, isSheddable?: boolean) =>
      Array.from({ length: count }, () => enter(caller, isSheddable)),
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
    const tasks = [...enterMany(40, 'ada'), ...enterMany(40, 'bola')];
    expect(of(tasks, true)).toBe(16);
    for (let n = 0; n < 64; n++) {
      tick(1);
      admission.leave(started[n] as Task);
    }
    expect(of(tasks, true)).toBe(80);
  });

  it('lets nobody wait for longer than a few milliseconds once there is no place all the time', () => {
    const { admission, enterMany, tick, of } = opened();
    const burst = [...enterMany(40, 'ada'), ...enterMany(40, 'bola')];
    tick(110);
    expect(of(burst, true)).toBe(16);
    expect(of(burst, false)).toBe(64);
    const late = enterMany(2, 'ada');
    expect(admission.wouldRefuse('ada')).toBe(true);
    expect(of(enterMany(1, 'ada'), false)).toBe(1);
    tick(10);
    expect(of(late, false)).toBe(2);
  });

  it('takes a burst as one again, however long after too much was asked nobody asked at all', () => {
    const { admission, enter, enterMany, tick, of, started } = opened();
    enterMany(40, 'ada');
    enterMany(40, 'bola');
    tick(110);
    for (const task of started) admission.leave(task);
    tick(60_000);
    const burst = Array.from({ length: 40 }, (_, n) => enter(`caller ${n % 10}`));
    expect(of(burst, false)).toBe(0);
  });

  it('finds a place for another however many tasks of one caller never end', () => {
    const { admission, enterMany, tick, of } = opened();
    enterMany(500, 'ada');
    tick(500);
    enterMany(500, 'ada');
    expect(admission.wouldRefuse('ada')).toBe(true);
    expect(of(enterMany(2, 'bola'), true)).toBe(2);
    expect(of(enterMany(2, 'bola', true), true)).toBe(2);
  });

  it('refuses first what nobody loses by: it has half of the places while there is too much', () => {
    const { admission, enterMany, tick, of } = opened();
    const lists = [...enterMany(8, 'ada', true), ...enterMany(30, 'bola', true)];
    tick(110);
    expect(of(lists, true)).toBe(16);
    for (const task of lists.slice(0, 8)) admission.leave(task);
    expect(of(enterMany(1, 'chidi', true), undefined)).toBe(1);
    expect(of(enterMany(8, 'chidi'), true)).toBe(8);
  });

  it('lets everybody in again once there has been a place for a while', () => {
    const { admission, enterMany, tick, of, started } = opened();
    enterMany(40, 'ada');
    enterMany(40, 'bola');
    tick(110);
    for (const task of started.slice()) admission.leave(task);
    tick(110);
    expect(admission.wouldRefuse('ada')).toBe(false);
    expect(of(enterMany(40, 'ada'), undefined)).toBe(28);
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
    for (let n = 0; n < 128; n++) {
      const task: Task = {
        caller: n % 2 === 0 ? 'ada' : 'bola',
        isSheddable: false,
        decide() {
          ended += 1;
          admission.leave(task);
        },
      };
      admission.enter(task);
    }
    expect(ended).toBe(0);
    admission.leave(first as Task);
    expect(ended).toBe(128);
    expect(enter('ada').caller).toBe('ada');
  });

  it('goes on with a task as what asked for it, not as what made room for it', () => {
    const admission = createAdmission(boundsOf(16));
    const request = new AsyncLocalStorage<string>();
    const enter = (name: string, decide: () => void): Task => {
      const task = { caller: 'ada', isSheddable: false, decide };
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
      fc.record({ enter: fc.constantFrom(...callers), isSheddable: fc.boolean() }),
      fc.record({ leave: fc.nat() }),
      fc.record({ tick: fc.nat({ max: 60 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const clock = { ms: 0 };
        const admission = createAdmission(boundsOf(16), { now: () => clock.ms });
        const running: Task[] = [];
        let waiting = 0;
        for (const one of steps) {
          if ('enter' in one) {
            waiting += 1;
            const { enter: caller, isSheddable } = one;
            const task: Task = {
              caller,
              isSheddable,
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

afterEach(() => void vi.useRealTimers());

it('lets nobody of one caller wait any longer either, and others as in a burst', () => {
  const { admission, enterMany, tick, of, started } = opened();
  const burst = enterMany(60, 'ada');
  tick(90);
  expect(of(burst, undefined)).toBe(48);
  tick(920);
  expect(of(burst, true)).toBe(12);
  expect(of(burst, undefined)).toBe(0);
  expect(of(enterMany(2, 'ada'), undefined)).toBe(2);
  expect(admission.wouldRefuse('ada')).toBe(true);
  const others = enterMany(10, 'bola');
  expect(of(others, true)).toBe(4);
  expect(of(others, undefined)).toBe(6);

  for (const task of started) admission.leave(task);
  tick(110);
  expect(of(enterMany(40, 'ada'), undefined)).toBe(28);
});

it('lets in a quarter in a flood, and all again once it has ended or there is a place', () => {
  const { admission, enterMany, tick, of, started } = opened();
  const asked = () => [...enterMany(40, 'ada'), ...enterMany(40, 'bola')];
  const endAll = () => {
    for (const task of started.splice(0)) admission.leave(task);
  };
  admission.flood(true);
  expect(of(asked(), true)).toBe(16);
  tick(110);
  endAll();
  endAll();
  expect(of(asked(), true)).toBe(4);
  admission.flood(false);
  tick(10);
  expect(of(asked(), true)).toBe(12);

  admission.flood(true);
  tick(10);
  endAll();
  tick(110);
  expect(of(asked(), true)).toBe(16);
});

it('finds a place for another in a flood too, however many tasks of one caller never end', () => {
  const { admission, enterMany, tick, of, started } = opened();
  enterMany(40, 'ada');
  enterMany(40, 'bola');
  tick(110);
  admission.flood(true);
  for (const task of started) if (task.caller === 'bola') admission.leave(task);
  tick(10);
  expect(of(enterMany(1, 'chidi'), true)).toBe(1);
  expect(of(enterMany(4, 'ada'), true)).toBe(0);
  expect(of(enterMany(4, 'bola'), true)).toBe(0);
});

it('is over once everybody has left, whether or not anybody asks again', () => {
  const { admission, enterMany, tick, started } = opened();
  enterMany(40, 'ada');
  enterMany(40, 'bola');
  tick(110);
  expect(admission.isTooMuch).toBe(true);
  for (const task of started) admission.leave(task);
  tick(110);
  expect(admission.isTooMuch).toBe(false);
});

it('is not over while what comes late is refused unasked, whatever places there are', () => {
  const { admission, enterMany, tick, started } = opened();
  enterMany(40, 'ada');
  enterMany(40, 'bola');
  tick(110);
  for (const task of started) admission.leave(task);
  tick(60);
  admission.refusedUnasked();
  tick(60);
  expect(admission.isTooMuch).toBe(true);
  tick(60);
  expect(admission.isTooMuch).toBe(false);
});

it('tells of a flood as it begins, and once each server has seen its end', () => {
  const told: boolean[] = [];
  const admission = createAdmission(boundsOf(16), { onFlood: (isOne) => told.push(isOne) });
  admission.flood(true);
  expect(told).toEqual([true]);
  admission.flood(true);
  admission.flood(false);
  expect(told).toEqual([true]);
  admission.flood(false);
  expect(told).toEqual([true, false]);
});
