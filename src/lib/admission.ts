import { AsyncResource } from 'node:async_hooks';

/** How many run and wait. */
export interface AdmissionBounds {
  /** Tasks that run at once. */
  readonly runningMax: number;
  /** Of them, those of one caller: whatever one waits for, another finds a place. */
  readonly ofOneMax: number;
  /** Of them, those that are the first to be refused, while there is too much. */
  readonly sheddableMax: number;
  /** Tasks that wait, in a burst and while there is too much. */
  readonly burstMax: number;
  readonly waitingMax: number;
}

/** Bounds for so many at once. */
export const boundsOf = (runningMax: number): AdmissionBounds => ({
  runningMax,
  ofOneMax: Math.ceil(runningMax * 0.75),
  sheddableMax: Math.ceil(runningMax / 2),
  burstMax: 8 * runningMax,
  waitingMax: Math.ceil(runningMax / 8),
});

export interface Task {
  /** Callers take turns. */
  readonly caller: string;
  /** Refused before others are. */
  readonly isSheddable: boolean;
  /** Whether it may run: called once, at once where there is a place. A task that runs ends by `leave`. */
  readonly decide: (mayRun: boolean) => void;
}

/**
 * Lets in as many tasks as can be done soon, and refuses the others.
 *
 * What waits is a burst while the line empties now and then, and too much once somebody has waited at every moment of a tenth of a
 * second. From then on nobody waits for longer than a few milliseconds, so that what is let in is done as soon as if less were
 * asked, until for a tenth of a second everybody has found a place: a controlled delay (Nichols and Jacobson, "Controlling
 * Queue Delay", ACM Queue 10(5), 2012).
 */
export interface Admission {
  enter(task: Task): void;
  leave(caller: string): void;
  /** What a task does elsewhere, e.g. at another company, takes no place: however slow that is, others are let in meanwhile. */
  elsewhere<Result>(work: () => Promise<Result>): Promise<Result>;
  /** True when one more task of this caller would be refused: it need not be looked at. */
  wouldRefuse(caller: string): boolean;
}

/** For so long somebody may wait at every moment, and nobody must wait before it is over. */
const BURST_MS = 100;
/** A caller's tasks wait in two lines, so that none waits behind one that is refused before it. */
const lineOf = ({ caller, isSheddable }: Task): string => (isSheddable ? `${caller} sheddable` : caller);

/** The longest wait in a burst, and while there is too much. */
const WAIT_IN_BURST_MS = 1000;
const WAIT_MS = 10;

interface Waiting extends Task {
  readonly since: number;
}

/** @param now a clock in milliseconds that never runs backwards */
export function createAdmission(bounds: AdmissionBounds, now: () => number = () => performance.now()): Admission {
  /** Who waits, line by line in the order of their turns; no line is empty. */
  const lines = new Map<string, Waiting[]>();
  const runningOf = new Map<string, number>();
  let running = 0;
  let elsewhere = 0;
  let waiting = 0;
  /** Since when somebody has waited at every moment. */
  let standingSince = 0;
  /** When somebody found no place last. */
  let fullAt = Number.NEGATIVE_INFINITY;
  let isTooMuch = false;
  let timer: NodeJS.Timeout | undefined;

  function assess(at: number): boolean {
    if (isTooMuch) isTooMuch = waiting > 0 || at - fullAt < BURST_MS;
    else isTooMuch = waiting > 0 && at - standingSince >= BURST_MS;
    return isTooMuch;
  }

  const hasPlaceFor = ({ caller, isSheddable }: Task) =>
    running - elsewhere < (isSheddable && isTooMuch ? bounds.sheddableMax : bounds.runningMax) &&
    (runningOf.get(caller) ?? 0) - elsewhere < bounds.ofOneMax;

  /** A line has its share of those who may wait, and always room for one. */
  const isFullFor = (name: string) =>
    (lines.get(name)?.length ?? 0) >= Math.max(1, Math.floor(bounds.waitingMax / (lines.size || 1)));

  function start(task: Task): void {
    running += 1;
    runningOf.set(task.caller, (runningOf.get(task.caller) ?? 0) + 1);
    task.decide(true);
  }

  /** Refuses who has waited for too long. In each line the first has waited longest. */
  function refuseLate(at: number): void {
    const longest = assess(at) ? WAIT_MS : WAIT_IN_BURST_MS;
    for (const [name, line] of lines) {
      const inTime = line.findIndex(({ since }) => at - since < longest);
      const late = line.splice(0, inTime < 0 ? line.length : inTime);
      if (line.length === 0) lines.delete(name);
      waiting -= late.length;
      if (late.length > 0) fullAt = at;
      for (const { decide } of late) decide(false);
    }
  }

  /** Lets in those whose turn it is. Who has had a turn comes after all others. */
  function letIn(): void {
    refuseLate(now());
    for (const [name, line] of lines) {
      if (running - elsewhere >= bounds.runningMax) break;
      const [first] = line;
      if (first === undefined || !hasPlaceFor(first)) continue;
      line.shift();
      lines.delete(name);
      if (line.length > 0) lines.set(name, line); // the walk comes back to it: a Map goes on with what is added meanwhile
      waiting -= 1;
      start(first);
    }
    if (waiting > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function wait(task: Task): void {
    const at = now();
    const name = lineOf(task);
    const isFull = assess(at) ? isFullFor(name) : waiting >= bounds.burstMax;
    fullAt = at;
    if (isFull) {
      task.decide(false);
      return;
    }
    if (waiting === 0) standingSince = at;
    waiting += 1;
    // Its turn comes while another's task ends, and what follows is its own: its traces say so.
    const one = { ...task, decide: AsyncResource.bind(task.decide), since: at };
    const line = lines.get(name);
    if (line === undefined) lines.set(name, [one]);
    else line.push(one);
    timer ??= setInterval(letIn, WAIT_MS);
  }

  return {
    enter(task) {
      if (!lines.has(lineOf(task)) && hasPlaceFor(task)) start(task);
      else wait(task);
    },
    leave(caller) {
      running -= 1;
      const left = (runningOf.get(caller) ?? 1) - 1;
      if (left > 0) runningOf.set(caller, left);
      else runningOf.delete(caller);
      if (waiting > 0) letIn();
    },
    async elsewhere(work) {
      elsewhere += 1;
      if (waiting > 0) letIn();
      try {
        return await work();
      } finally {
        elsewhere -= 1;
      }
    },
    wouldRefuse(caller) {
      if (waiting === 0 || !isFullFor(caller)) return false;
      const at = now();
      if (!assess(at)) return false;
      fullAt = at;
      return true;
    },
  };
}
