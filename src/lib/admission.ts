import { AsyncResource } from 'node:async_hooks';
import { BURST_MS, BURST_OF_ONE_MS, Crowding } from './crowding.ts';
import { type AdmissionBounds, boundsOf, Counts, Places, type Task } from './places.ts';

export { boundsOf, type Task } from './places.ts';

/**
 * Lets in as many tasks as can be done soon, and refuses the others.
 *
 * What waits is a burst while there is a free place now and then, and too much once there has been none at any moment of a tenth of
 * a second; of one caller, once there has been none of those that one may have for a second. From then on nobody waits for longer than a few milliseconds, so that what is let in is done as soon as if less were
 * asked, until for a tenth of a second there has always been one: a controlled delay (Nichols and Jacobson, "Controlling Queue
 * Delay", ACM Queue 10(5), 2012).
 *
 * In a flood a quarter of the places are given: fewer are done, and those that are let in are done soon.
 */
export interface Admission {
  enter(task: Task): void;
  leave(task: Task): void;
  /**
   * Does elsewhere, e.g. at another company, a part of a task that runs. Meanwhile it takes no place: however slow that is,
   * others are let in. A caller who has too much elsewhere keeps the place.
   */
  elsewhere<Result>(task: Task, work: () => Promise<Result>): Promise<Result>;
  /** True when one more task of this caller would be refused: it need not be looked at. */
  wouldRefuse(caller: string): boolean;
  /** Told of each task that was refused without asking: it found no place, whatever places there are now. */
  refusedUnasked(): void;
  /** Told when a flood begins and when it ends, by each server that refuses: refusals wait for their turn. */
  flood(isOne: boolean): void;
  /** Whether there has been no place for too long. */
  readonly isTooMuch: boolean;
  /** While nobody waits, nobody would be refused. */
  readonly isAnybodyWaiting: boolean;
}

/** The longest wait in a burst, and while there is too much. */
const WAIT_IN_BURST_MS = 1000;
const WAIT_MS = 10;
/** A caller's tasks wait in two lines, so that none waits behind one that is refused before it. */
const lineOf = ({ caller, isSheddable }: Pick<Task, 'caller' | 'isSheddable'>): string =>
  isSheddable ? `${caller} sheddable` : caller;

interface Waiting extends Task {
  readonly since: number;
  /** The task as it came. */
  readonly task: Task;
}

/** @param options `now` is a clock in milliseconds that never runs backwards; `onFlood` is told when a flood begins, and when it ends for all */
export function createAdmission(
  bounds: AdmissionBounds,
  {
    now = () => performance.now(),
    onFlood = () => {},
  }: { now?: () => number; onFlood?: (isOne: boolean) => void } = {},
): Admission {
  /** Who waits, line by line in the order of their turns; no line is empty. */
  const lines = new Map<string, Waiting[]>();
  const elsewhereOf = new Counts();
  /** Those that are elsewhere, and have not left. */
  const away = new Set<Task>();
  let waiting = 0;
  const all = new Crowding(BURST_MS);
  let floods = 0;
  const inFlood = boundsOf(Math.ceil(bounds.runningMax / 4));
  const places = new Places(inFlood.ofOneMax);
  /** Of callers who have, or had just now, as many places as one may have. */
  const crowdingOf = new Map<string, Crowding>();
  let isLettingIn = false;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  const isTooMuchOf = (caller: string) => all.isTooMuch || crowdingOf.get(caller)?.isTooMuch === true;
  const boundsNow = (isTooMuch: boolean) => (isTooMuch && floods > 0 ? inFlood : bounds);
  const isFull = () =>
    places.taken >= bounds.runningMax || (all.isTooMuch && floods > 0 && places.takenFairly >= inFlood.runningMax);
  const hasAll = (caller: string) => places.of(caller) >= boundsNow(isTooMuchOf(caller)).ofOneMax;

  function assess(caller: string, at: number): boolean {
    const isTooMuch = all.assess(isFull(), at);
    return crowdingOf.get(caller)?.assess(hasAll(caller), at) === true || isTooMuch;
  }

  const hasPlaceFor = ({ caller, isSheddable }: Task) =>
    !isFull() &&
    !hasAll(caller) &&
    !(isSheddable && isTooMuchOf(caller) && places.sheddable >= boundsNow(true).sheddableMax);

  /** A line has its share of those who may wait, and always room for one. */
  function isFullFor(name: string, caller: string, at: number): boolean {
    const length = lines.get(name)?.length ?? 0;
    if (!assess(caller, at)) return length >= bounds.burstMax / 2 || waiting >= bounds.burstMax;
    const { waitingMax } = boundsNow(true);
    return length >= Math.max(1, Math.floor(waitingMax / (lines.size || 1))) || waiting >= bounds.burstMax;
  }

  /** Refuses who has waited for too long. In each line the first has waited longest. */
  function refuseLate(at: number): void {
    for (const [name, line] of lines) {
      const longest = assess(line[0]?.caller ?? name, at) ? WAIT_MS : WAIT_IN_BURST_MS;
      const inTime = line.findIndex(({ since }) => at - since < longest);
      const late = line.splice(0, inTime < 0 ? line.length : inTime);
      if (line.length === 0) lines.delete(name);
      waiting -= late.length;
      for (const { decide } of late) decide(false);
    }
  }

  /** Lets in those whose turn it is. Who has had a turn comes after all others. */
  function letInOnce(): void {
    refuseLate(now());
    for (const [name, line] of lines) {
      if (isFull()) return;
      const [first] = line;
      if (first === undefined || !hasPlaceFor(first.task)) continue;
      line.shift();
      lines.delete(name);
      if (line.length > 0) lines.set(name, line); // the walk comes back to it: a Map goes on with what is added meanwhile
      waiting -= 1;
      places.take(first.task);
      first.decide(true);
    }
    all.hasPlace();
  }

  const isWaiting = (caller: string) => [false, true].some((isSheddable) => lines.has(lineOf({ caller, isSheddable })));

  /** Of callers, who has a place to take, or asks for none. Who had one for a while is forgotten. */
  function noteWhoHasPlace(at: number): void {
    for (const [caller, crowding] of crowdingOf) {
      if (!hasAll(caller) || !isWaiting(caller)) crowding.hasPlace();
      crowding.assess(hasAll(caller), at);
      if (crowding.isOver(at)) crowdingOf.delete(caller);
    }
  }

  /** A task may end before `decide` returns; then the walk begins anew when it is over, not within itself. */
  function letIn(): void {
    if (waiting === 0) {
      all.hasPlace();
      noteWhoHasPlace(now());
      return;
    }
    again = true;
    if (isLettingIn) return;
    isLettingIn = true;
    while (again) {
      again = false;
      letInOnce();
    }
    isLettingIn = false;
    noteWhoHasPlace(now());
    if (waiting > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function crowdingFor(caller: string): Crowding {
    const crowding = crowdingOf.get(caller) ?? new Crowding(BURST_OF_ONE_MS);
    crowdingOf.set(caller, crowding);
    return crowding;
  }

  function wait(task: Task): void {
    const at = now();
    const { caller } = task;
    const name = lineOf(task);
    if (isFullFor(name, caller, at)) {
      task.decide(false);
      return;
    }
    if (isFull()) all.waits(at);
    if (hasAll(caller)) crowdingFor(caller).waits(at);
    waiting += 1;
    // Its turn comes while another's task ends, and what follows is its own: its traces say so.
    const one = { ...task, task, decide: AsyncResource.bind(task.decide), since: at };
    const line = lines.get(name);
    if (line === undefined) lines.set(name, [one]);
    else line.push(one);
    timer ??= setInterval(letIn, WAIT_MS);
  }

  return {
    enter(task) {
      if (isTooMuchOf(task.caller)) assess(task.caller, now()); // nobody may have asked since
      if (lines.has(lineOf(task)) || !hasPlaceFor(task)) {
        wait(task);
        return;
      }
      places.take(task);
      task.decide(true);
    },
    leave(task) {
      if (places.give(task)) letIn();
      else away.delete(task);
    },
    async elsewhere(task, work) {
      const { caller } = task;
      if (elsewhereOf.of(caller) >= bounds.elsewhereMax || !places.give(task)) return work();
      elsewhereOf.add(caller, 1);
      away.add(task);
      letIn();
      try {
        return await work();
      } finally {
        elsewhereOf.add(caller, -1);
        if (away.delete(task)) places.take(task);
      }
    },
    wouldRefuse: (caller) => waiting > 0 && isFullFor(caller, caller, now()),
    refusedUnasked() {
      all.assess(true, now());
    },
    flood(isOne) {
      floods += isOne ? 1 : -1;
      if (floods === Number(isOne)) onFlood(isOne);
    },
    get isTooMuch() {
      return all.assess(isFull(), now()); // nobody may have asked since
    },
    get isAnybodyWaiting() {
      return waiting > 0;
    },
  };
}
