import type { Logger } from 'pino';

/** Logs the first of a row of failures and the end of the row, so that an outage is two lines and not a flood. */
export interface OutageLogger {
  readonly failed: (error: unknown) => void;
  readonly recovered: () => void;
  /** From now on nothing is logged: what fails now fails because it is being closed. */
  readonly end: () => void;
}

/** `what` names what fails, as in "the delivery queue". Of an error only message and code are logged: drivers add more. */
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
