import type { Logger } from 'pino';
import { SHUTDOWN_MAX_MS } from '#http/drain.ts';

/** A second signal within this time is the same one: npm forwards a Ctrl-C that the terminal has sent to this process too. */
const SAME_SIGNAL_MS = 500;

/** What a process closes before it exits. */
interface Closing {
  readonly log: Logger;
  readonly close: () => Promise<void>;
  /** How long the process still serves; afterwards it has SHUTDOWN_MAX_MS to close. */
  readonly delayMs?: number;
}

/** The graceful shutdown of this process on SIGTERM and SIGINT. */
export interface Ending {
  readonly hasBegun: boolean;
  /** Replaces what the shutdown closes. */
  closes(closing: Closing): void;
}

/**
 * From now on the first signal closes the process gracefully and exits with 0; a second one exits at once. Call it before the first
 * `await`: the first process of a container ignores a signal that it does not handle.
 */
export function endOnSignals(): Ending {
  let open: Closing | undefined;
  let first: number | undefined;

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (open === undefined) process.exit(0);
    const { log, close, delayMs = 0 } = open;
    log.info({ event: 'server.closing', signal }, 'closing after the work under way; a second signal ends at once');
    setTimeout(() => process.exit(1), delayMs + SHUTDOWN_MAX_MS).unref();
    try {
      await close();
      process.exit(0);
    } catch (error) {
      log.error({ event: 'server.close_failed', err: error }, 'closing failed');
      process.exit(1);
    }
  }

  const onSignal = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (first === undefined) {
      first = now;
      void end(signal);
    } else if (now - first > SAME_SIGNAL_MS) {
      open?.log.warn(
        { event: 'server.killed', signal },
        'a second signal ended the process: the work under way is lost',
      );
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  return {
    get hasBegun() {
      return first !== undefined;
    },
    closes(closing) {
      open = closing;
    },
  };
}
