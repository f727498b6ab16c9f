import { expect, vi } from 'vitest';
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
