export interface SemaphoreLimits {
  /** Tasks that run at once. */
  runningMax: number;
  /** Tasks that wait for their turn; one more is refused. */
  waitingMax: number;
}

/** Runs a task as soon as there is room for it. @throws SemaphoreFull when too many tasks wait already */
export type Semaphore = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Too many tasks wait already. The refused task was not started. */
export class SemaphoreFull extends Error {
  override readonly name = 'SemaphoreFull';
}

/** Bounds how many costly tasks run at once; the others wait, first come first served. */
export function createSemaphore({ runningMax, waitingMax }: SemaphoreLimits): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;

  const acquire = async (): Promise<void> => {
    if (running < runningMax) {
      running += 1;
      return;
    }
    if (waiting.length >= waitingMax) throw new SemaphoreFull('too many tasks wait already');
    await new Promise<void>((resolve) => waiting.push(resolve)); // the task that ends hands its place over
  };

  return async (task) => {
    await acquire();
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
