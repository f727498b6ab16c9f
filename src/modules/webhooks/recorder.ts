import type { Logger } from 'pino';
import { outageLogger } from '#lib/outage-logger.ts';
import type { Outcome } from '#modules/outbox';

const BATCH_MAX = 500;
const RETRY_MS = 250;
/** How long a shutdown waits for a database that is away. What is not written by then is sent again after its lease. */
const CLOSE_MAX_MS = 5_000;

export interface Recorder {
  /** Outcomes that are not written yet. */
  readonly waiting: number;
  /** `settled` is called when it is written, or never will be. */
  add(outcome: Outcome, settled?: () => void): void;
  /** Writes what is left, for a few seconds at most. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  write: (batch: readonly Outcome[]) => Promise<void>;
  /** Called after each batch that was written. */
  written: (batch: readonly Outcome[]) => void;
  /** An outcome older than this is worth nothing: its delivery is due again. */
  leaseMs: number;
  log: Logger;
}

/** Writes outcomes in batches: whatever comes in while one batch is written makes up the next. */
export function createRecorder({ write, written, leaseMs, log }: RecorderOptions): Recorder {
  const writing = outageLogger(log, 'recording webhook outcomes');
  let queue: { outcome: Outcome; until: number; settled: (() => void) | undefined }[] = [];
  let batch: typeof queue = [];
  let running: Promise<void> | undefined;
  let giveUpAt = Number.POSITIVE_INFINITY;

  const inTime = ({ until }: { until: number }) => performance.now() < Math.min(until, giveUpAt);

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      batch = queue.splice(0, BATCH_MAX);
      while (batch.length > 0 && !(await attempt())) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        const kept = new Set(batch.filter(inTime));
        const lost = batch.filter((waiting) => !kept.has(waiting));
        if (lost.length > 0) log.error({ lost: lost.length }, 'webhook outcomes not recorded');
        for (const { settled } of lost) settled?.();
        batch = [...kept];
      }
      batch = [];
    }
  }

  async function attempt(): Promise<boolean> {
    const outcomes = batch.map(({ outcome }) => outcome);
    try {
      await write(outcomes);
    } catch (error) {
      writing.failed(error);
      return false;
    }
    writing.recovered();
    for (const { settled } of batch) settled?.();
    written(outcomes);
    return true;
  }

  const run = (): Promise<void> => (running ??= drain().finally(() => (running = undefined)));

  return {
    get waiting() {
      return queue.length + batch.length;
    },
    add(outcome, settled) {
      queue.push({ outcome, until: performance.now() + leaseMs, settled });
      void run();
    },
    async close() {
      giveUpAt = performance.now() + CLOSE_MAX_MS;
      await run();
    },
  };
}
