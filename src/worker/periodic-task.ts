import type { Logger } from 'pino';

export interface PeriodicTask {
  /** Begins no more, and resolves when a run under way has ended. */
  close(): Promise<void>;
}

/**
 * Runs `work` again and again, `everyMs` after its last run ended. A run that fails is logged and tried again.
 *
 * @param work is given a signal that is aborted when it is to begin nothing more
 */
export function startPeriodicTask(
  { everyMs, log, what }: { everyMs: number; log: Logger; what: string },
  work: (closing: AbortSignal) => Promise<void>,
): PeriodicTask {
  const closing = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(run, everyMs);

  function run(): void {
    running = work(closing.signal)
      .catch((err: unknown) => log.warn({ err }, `${what} failed; the next run tries again`))
      .finally(() => {
        if (!closing.signal.aborted) timer = setTimeout(run, everyMs);
      });
  }

  return {
    close() {
      closing.abort();
      clearTimeout(timer);
      return running;
    },
  };
}
