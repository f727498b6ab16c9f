/** Whose a task is: a share, e.g. `['bank']`, or a share within one, e.g. `['pages', 'shop']`. */
export type Share = readonly [string, ...string[]];

/** Too many tasks wait already. The refused task was not started. */
export class SemaphoreFull extends Error {
  override readonly name = 'SemaphoreFull';
}

/** Bounds how many costly tasks run at once. */
export interface Semaphore {
  /** Runs a task when it is its share's turn. @throws SemaphoreFull when too many tasks of the share wait already */
  run<Result>(task: () => Promise<Result>, share?: Share): Promise<Result>;
  /** Refuses as `run` would now, before what leads to a task is done for nothing. @throws SemaphoreFull */
  assertRoom(share: Share): void;
}

/** The share of tasks that name none: first come, first served. */
const UNNAMED: Share = ['tasks'];

type Start = () => void;

/** The queue of a share: its own tasks, first come first served, and the shares within it, which take turns. */
class Waiting {
  size = 0;
  readonly #own: Start[] = [];
  /** In the order of their turns. None is empty. */
  readonly #within = new Map<string, Waiting>();

  /** How many wait in each share on the way to this one, from the outermost on. */
  sizes([name, ...rest]: readonly string[]): number[] {
    if (name === undefined) return [];
    const within = this.#within.get(name);
    return [within?.size ?? 0, ...(within?.sizes(rest) ?? rest.map(() => 0))];
  }

  push([name, ...rest]: readonly string[], start: Start): void {
    this.size += 1;
    if (name === undefined) {
      this.#own.push(start);
      return;
    }
    const within = this.#within.get(name) ?? new Waiting();
    this.#within.set(name, within);
    within.push(rest, start);
  }

  /** The task whose turn it is. Its share, when more of it wait, has its next turn after all others. */
  shift(): Start | undefined {
    if (this.size === 0) return undefined;
    this.size -= 1;
    const own = this.#own.shift();
    if (own !== undefined) return own;
    for (const [name, within] of this.#within) {
      this.#within.delete(name);
      const start = within.shift();
      if (within.size > 0) this.#within.set(name, within);
      return start;
    }
    return undefined;
  }
}

/**
 * Bounds how many costly tasks run at once, and has the shares take turns: however many tasks one share sends, a task of
 * another waits for one task of each share before it, and for no more. Tasks that name no share have one together.
 *
 * @param limits.runningMax tasks that run at once
 * @param limits.waitingMax tasks of one share that wait. One more is refused, and no task of another share
 * @param limits.waitingWithinMax tasks that wait in all shares within one together
 */
export function createSemaphore({
  runningMax,
  waitingMax,
  waitingWithinMax = waitingMax,
}: {
  runningMax: number;
  waitingMax: number;
  waitingWithinMax?: number;
}): Semaphore {
  const waiting = new Waiting();
  let running = 0;

  function assertRoom(share: Share): void {
    if (running < runningMax) return;
    const maxAt = (depth: number) => (depth === share.length - 1 ? waitingMax : waitingWithinMax);
    const isFull = waiting.sizes(share).some((size, depth) => size >= maxAt(depth));
    if (isFull) throw new SemaphoreFull('too many tasks of this share wait already');
  }

  const acquire = async (share: Share): Promise<void> => {
    assertRoom(share);
    if (running < runningMax) {
      running += 1;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(share, resolve)); // the task that ends hands its place over
  };

  return {
    assertRoom,
    async run(task, share = UNNAMED) {
      await acquire(share);
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
