import type { Logger } from 'pino';

export interface PeriodicTask {
  /** Begins no more, and resolves when a round under way has ended. */
  close(): Promise<void>;
}

/** Does `work` again and again, `everyMs` after it ended the last time. A round that fails is logged and tried again. */
export function startPeriodicTask(
  { everyMs, log, what }: { everyMs: number; log: Logger; what: string },
  work: () => Promise<void>,
): PeriodicTask {
  let closed = false;
  let round: Promise<void> = Promise.resolve();
  let timer = setTimeout(next, everyMs);

  function next(): void {
    round = work()
      .catch((err: unknown) => log.warn({ err }, `${what} failed; the next round tries again`))
      .finally(() => {
        if (!closed) timer = setTimeout(next, everyMs);
      });
  }

  return {
    close() {
      closed = true;
      clearTimeout(timer);
      return round;
    },
  };
}
