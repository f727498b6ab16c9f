export interface SemaphoreLimits {
  /** Tasks that run at once. */
  runningMax: number;
  /** Tasks that wait for their turn; one more is refused. */
  waitingMax: number;
}

/** Runs a task now, or when it is its turn; refuses it when too many wait already. */
export type Semaphore = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** The queue before a gate was full. Nothing was begun. */
export class SemaphoreFull extends Error {
  override readonly name = 'GateFull';
}

/** Bounds how many costly tasks run at once, first come first served. @throws GateFull */
export function createSemaphore({ runningMax, waitingMax }: SemaphoreLimits): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;

  const turn = async (): Promise<void> => {
    if (running < runningMax) {
      running += 1;
      return;
    }
    if (waiting.length >= waitingMax) throw new SemaphoreFull('too many tasks wait already');
    await new Promise<void>((resolve) => waiting.push(resolve)); // its predecessor hands its place over
  };

  return async (task) => {
    await turn();
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
