import type { Logger } from 'pino';
import { SHUTDOWN_MAX_MS } from '#http/drain.ts';

/** What arrives again so soon is the same signal: npm passes on a Ctrl-C that the terminal has sent to this process as well. */
const SAME_SIGNAL_MS = 500;

/** What a process closes before it ends. */
interface Closing {
  readonly log: Logger;
  readonly close: () => Promise<void>;
  /** How long it goes on as before, after which it has SHUTDOWN_MAX_MS. */
  readonly delayMs?: number;
}

/** How this process ends when it is told to. */
export interface Ending {
  readonly hasBegun: boolean;
  /** What is to be closed from now on, instead of what was to be closed before. */
  closes(closing: Closing): void;
}

/**
 * From now on the first signal has the process close what it has opened and end with 0, another one ends it at once. To be called
 * before anything is waited for: the first process of a container ignores a signal that it does not handle.
 */
export function endOnSignals(): Ending {
  let open: Closing | undefined;
  let first: number | undefined;

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (open === undefined) process.exit(0);
    const { log, close, delayMs = 0 } = open;
    log.info({ signal }, 'closing: requests and jobs under way are finished first; a second signal ends at once');
    setTimeout(() => process.exit(1), delayMs + SHUTDOWN_MAX_MS).unref();
    try {
      await close();
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'closing failed: ended');
      process.exit(1);
    }
  }

  const heard = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (first === undefined) {
      first = now;
      void end(signal);
    } else if (now - first > SAME_SIGNAL_MS) {
      open?.log.warn({ signal }, 'ended at once by a second signal: what was under way is cut off');
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, heard);
  return {
    get hasBegun() {
      return first !== undefined;
    },
    closes(closing) {
      open = closing;
    },
  };
}
