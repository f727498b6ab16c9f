import type { Logger } from 'pino';

/** Logs the first failure of an outage and its end, so that an outage is two lines in the log and not thousands. */
export interface OutageLogger {
  /** Logs the error, unless the outage is known already. */
  readonly failed: (error: unknown) => void;
  /** Logs the end of an outage, with the number of failures in it; does nothing when there is none. */
  readonly recovered: () => void;
  /** Logs no failure from now on. Called when closing begins, which makes calls fail. */
  readonly end: () => void;
}

/**
 * @param what names what fails, e.g. "the delivery queue": the log says "the delivery queue fails" and "… works again".
 * Of an error only message and code are logged, because drivers put more into it.
 */
export function outageLogger(log: Logger, what: string): OutageLogger {
  let failures = 0;
  let ended = false;
  return {
    failed(error) {
      failures += 1;
      if (failures > 1 || ended) return;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      log.error({ error: error instanceof Error ? error.message : String(error), code }, `${what} fails`);
    },
    recovered() {
      if (failures > 0) log.info({ failures }, `${what} works again`);
      failures = 0;
    },
    end() {
      ended = true;
    },
  };
}
