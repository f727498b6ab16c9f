import type { Logger } from 'pino';

export interface PeriodicTask {
  /** Begins no more, and resolves when a run under way has ended. */
  close(): Promise<void>;
}

/** Runs `work` again and again, `everyMs` after its last run ended. A run that fails is logged and tried again. */
export function startPeriodicTask(
  { everyMs, log, what }: { everyMs: number; log: Logger; what: string },
  work: () => Promise<void>,
): PeriodicTask {
  let closed = false;
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(run, everyMs);

  function run(): void {
    running = work()
      .catch((err: unknown) => log.warn({ err }, `${what} failed; the next run tries again`))
      .finally(() => {
        if (!closed) timer = setTimeout(run, everyMs);
      });
  }

  return {
    close() {
      closed = true;
      clearTimeout(timer);
      return running;
    },
  };
}
