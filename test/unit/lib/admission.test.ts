import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { boundsOf, createAdmission } from '../../../src/lib/admission.ts';

/** An admission of 16 places with a clock of its own, and what became of each task. */
function opened() {
  const clock = { ms: 0 };
  const admission = createAdmission(boundsOf(16), () => clock.ms);
  const outcomes: (boolean | undefined)[] = [];
  const enter = (caller: string, isSheddable = false): number => {
    const task = outcomes.push(undefined) - 1;
    admission.enter({
      caller,
      isSheddable,
      decide(mayRun) {
        expect(outcomes[task]).toBeUndefined();
        outcomes[task] = mayRun;
      },
    });
    return task;
  };
  const enterMany = (count: number, caller: string, isSheddable?: boolean) =>
    Array.from({ length: count }, () => enter(caller, isSheddable));
  const tick = (ms: number) => {
    clock.ms += ms;
    vi.advanceTimersByTime(ms);
  };
  const of = (tasks: readonly number[], outcome: boolean | undefined) =>
    tasks.filter((task) => outcomes[task] === outcome).length;
  return { admission, enter, enterMany, tick, of };
}

afterEach(() => void vi.useRealTimers());

describe('admission', () => {
  it('lets a burst wait: each task runs as soon as there is a place', () => {
    vi.useFakeTimers();
    const { admission, enterMany, tick, of } = opened();
    const tasks = [...enterMany(40, 'ada'), ...enterMany(40, 'bola')];
    expect(of(tasks, true)).toBe(16);
    for (let n = 0; n < 64; n++) {
      tick(1);
      admission.leave(n % 2 === 0 ? 'ada' : 'bola');
    }
    expect(of(tasks, true)).toBe(80);
  });

  it('lets nobody wait for longer than a few milliseconds once somebody has waited all the time', () => {
    vi.useFakeTimers();
    const { admission, enterMany, tick, of } = opened();
    const burst = enterMany(40, 'ada');
    tick(110);
    expect(of(burst, true)).toBe(12);
    expect(of(burst, false)).toBe(28);
    const late = enterMany(2, 'ada');
    expect(admission.wouldRefuse('ada')).toBe(true);
    expect(of(enterMany(1, 'ada'), false)).toBe(1);
    tick(10);
    expect(of(late, false)).toBe(2);
  });

  it('finds a place for another however many tasks of one caller never end', () => {
    vi.useFakeTimers();
    const { enterMany, tick, of } = opened();
    enterMany(500, 'ada');
    tick(500);
    enterMany(500, 'ada');
    expect(of(enterMany(4, 'bola'), true)).toBe(4);
  });

  it('refuses first what nobody loses by, and leaves half of the places to the rest', () => {
    vi.useFakeTimers();
    const { admission, enterMany, tick, of } = opened();
    const lists = [...enterMany(8, 'ada', true), ...enterMany(30, 'bola', true)];
    expect(of(lists, true)).toBe(16);
    tick(110);
    for (let n = 0; n < 8; n++) admission.leave('ada');
    expect(of(enterMany(1, 'chidi', true), undefined)).toBe(1);
    expect(of(enterMany(8, 'chidi'), true)).toBeGreaterThanOrEqual(7);
  });

  it('lets everybody in again once all have found a place for a while', () => {
    vi.useFakeTimers();
    const { admission, enterMany, tick, of } = opened();
    enterMany(40, 'ada');
    tick(110);
    for (let n = 0; n < 12; n++) admission.leave('ada');
    tick(110);
    expect(admission.wouldRefuse('ada')).toBe(false);
    expect(of(enterMany(40, 'ada'), undefined)).toBe(28);
  });

  it('takes no place for what is done elsewhere', async () => {
    const { admission, enterMany, of } = opened();
    enterMany(8, 'ada');
    enterMany(8, 'bola');
    const asked = enterMany(1, 'chidi');
    expect(of(asked, undefined)).toBe(1);
    const { promise, resolve } = Promise.withResolvers<string>();
    const work = admission.elsewhere(() => promise);
    expect(of(asked, true)).toBe(1);
    resolve('answered');
    expect(await work).toBe('answered');
  });

  it('goes on with a task as what asked for it, not as what made room for it', () => {
    const admission = createAdmission(boundsOf(16));
    const request = new AsyncLocalStorage<string>();
    const enter = (name: string, decide: () => void) =>
      request.run(name, () => admission.enter({ caller: 'ada', isSheddable: false, decide }));
    for (let n = 0; n < 12; n++) enter('first', () => {});
    let going: string | undefined;
    enter('second', () => (going = request.getStore()));
    request.run('first', () => admission.leave('ada'));
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
        const admission = createAdmission(boundsOf(16), () => clock.ms);
        const running: string[] = [];
        let waiting = 0;
        for (const one of steps) {
          if ('enter' in one) {
            waiting += 1;
            const { enter: caller, isSheddable } = one;
            admission.enter({
              caller,
              isSheddable,
              decide(mayRun) {
                waiting -= 1;
                if (mayRun) running.push(caller);
              },
            });
          } else if ('leave' in one) {
            const [caller] = running.splice(one.leave % Math.max(1, running.length), 1);
            if (caller !== undefined) admission.leave(caller);
          } else {
            clock.ms += one.tick;
            vi.advanceTimersByTime(one.tick);
          }
          expect(running.length).toBeLessThanOrEqual(16);
          for (const caller of callers) expect(running.filter((of) => of === caller).length).toBeLessThanOrEqual(12);
        }
        clock.ms += 2000;
        vi.advanceTimersByTime(2000);
        expect(waiting).toBe(0);
      }),
    );
  });
});
