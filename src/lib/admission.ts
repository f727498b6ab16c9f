import { AsyncResource } from 'node:async_hooks';

/** A request that asks for a place. */
export interface Task {
  /** The partner, application or address that sends it. Callers take turns. */
  readonly caller: string;
  /** Called once: at once where a place is free. A task that may run ends with `leave`. */
  readonly decide: (mayRun: boolean) => void;
  /** Set by the admission alone; undefined until it runs. */
  state?: 'running' | 'elsewhere' | 'left';
}

/**
 * Lets in as many tasks at once as there are places, three quarters of them of one caller at most. More tasks wait, callers take
 * turns, and a task is refused when its caller's line is full or when it has waited for a second.
 */
export interface Admission {
  enter(task: Task): void;
  leave(task: Task): void;
  /**
   * Does a part of a running task at another company, without its place: however slow that company is, others are let in. A caller
   * with too many tasks there keeps the place.
   */
  elsewhere<Result>(task: Task, work: () => Promise<Result>): Promise<Result>;
  /** Whether one more task of this caller would be refused at once. */
  isFullFor(caller: string): boolean;
}

interface Waiting {
  readonly task: Task;
  readonly decide: (mayRun: boolean) => void;
  readonly since: number;
}

const WAIT_MAX_MS = 1000;
const LOOK_MS = 50;

/**
 * @param placesMax tasks that run at once
 * @param now a clock in milliseconds that never runs backwards
 */
export function createAdmission(placesMax: number, now: () => number = () => performance.now()): Admission {
  const ofOneMax = Math.ceil(placesMax * 0.75);
  const elsewhereMax = 2 * placesMax;
  const waitingMax = 2 * placesMax;
  const lineMax = placesMax;

  const running = new Counts();
  const elsewhere = new Counts();
  let taken = 0;
  /** The next turn is the first line's. No line is empty. */
  const lines = new Map<string, Waiting[]>();
  let waiting = 0;
  let isLettingIn = false;
  let timer: NodeJS.Timeout | undefined;

  const isFull = (caller: string) => waiting >= waitingMax || (lines.get(caller)?.length ?? 0) >= lineMax;
  const hasPlaceFor = (caller: string) => taken < placesMax && running.of(caller) < ofOneMax;

  function count({ caller }: Task, by: 1 | -1): void {
    taken += by;
    running.add(caller, by);
  }

  function take(task: Task): void {
    task.state = 'running';
    count(task, 1);
  }

  function give(task: Task, state: 'elsewhere' | 'left'): void {
    const hadPlace = task.state === 'running';
    task.state = state;
    if (!hadPlace) return;
    count(task, -1);
    letIn();
  }

  function remove(caller: string, line: Waiting[], which: 'shift' | 'pop'): Waiting | undefined {
    const one = line[which]();
    waiting -= 1;
    lines.delete(caller);
    if (line.length > 0) lines.set(caller, line); // after all others
    if (waiting === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    return one;
  }

  /** The newest of the line whose turn it is: when too much waits, the oldest are those whose clients have given up. */
  function takeNext(): Waiting | undefined {
    if (taken >= placesMax) return undefined;
    for (const [caller, line] of lines) {
      if (!hasPlaceFor(caller)) continue;
      const next = remove(caller, line, 'pop');
      if (next !== undefined) take(next.task);
      return next;
    }
    return undefined;
  }

  /** A task may end before its `decide` returns: the loop that runs already finds the place. */
  function letIn(): void {
    if (isLettingIn) return;
    isLettingIn = true;
    for (let next = takeNext(); next !== undefined; next = takeNext()) next.decide(true);
    isLettingIn = false;
  }

  function refuseOverdue(): void {
    for (const [caller, line] of lines) {
      const [first] = line;
      if (first === undefined || now() - first.since < WAIT_MAX_MS) continue;
      remove(caller, line, 'shift')?.decide(false); // the loop comes to the rest of the line once more
    }
  }

  function wait(task: Task): void {
    const { caller } = task;
    if (isFull(caller)) {
      task.decide(false);
      return;
    }
    waiting += 1;
    // Called while another request ends, but in the context of this one: traces and logs name the right request.
    const one = { task, decide: AsyncResource.bind(task.decide), since: now() };
    const line = lines.get(caller);
    if (line === undefined) lines.set(caller, [one]);
    else line.push(one);
    timer ??= setInterval(refuseOverdue, LOOK_MS);
  }

  return {
    enter(task) {
      if (lines.has(task.caller) || !hasPlaceFor(task.caller)) {
        wait(task);
        return;
      }
      take(task);
      task.decide(true);
    },
    leave: (task) => give(task, 'left'),
    async elsewhere(task, work) {
      if (task.state !== 'running' || elsewhere.of(task.caller) >= elsewhereMax) return work();
      elsewhere.add(task.caller, 1);
      give(task, 'elsewhere');
      try {
        return await work();
      } finally {
        elsewhere.add(task.caller, -1);
        if (isElsewhere(task)) take(task); // not when it was answered meanwhile
      }
    },
    isFullFor: isFull,
  };
}

const isElsewhere = ({ state }: Task): boolean => state === 'elsewhere';

/** How many there are of each name that has any. */
class Counts extends Map<string, number> {
  of(name: string): number {
    return this.get(name) ?? 0;
  }

  add(name: string, by: 1 | -1): void {
    const count = this.of(name) + by;
    if (count > 0) this.set(name, count);
    else this.delete(name);
  }
}
