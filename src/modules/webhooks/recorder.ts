import type { Logger } from 'pino';
import { outageLogger } from '#lib/log.ts';
import type { AttemptResult } from './attempt-result.ts';

const BATCH_MAX = 500;
const RETRY_MS = 250;
/** How long a shutdown waits for a database that is away. What is not written by then is sent again after its lease. */
const CLOSE_MAX_MS = 5_000;

export interface Recorder {
  /** Results that are not written yet. */
  readonly waiting: number;
  /** `settled` is called when it is written, or never will be. */
  add(result: AttemptResult, settled?: () => void): void;
  /** Writes what is left, for a few seconds at most. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  write: (batch: readonly AttemptResult[]) => Promise<void>;
  /** Called after each batch that was written. */
  written: (batch: readonly AttemptResult[]) => void;
  /** A result older than this is dropped: its delivery is due again. */
  leaseMs: number;
  log: Logger;
}

/** Writes results in batches: whatever comes in while one batch is written makes up the next. */
export function createRecorder({ write, written, leaseMs, log }: RecorderOptions): Recorder {
  const writing = outageLogger(log, 'recording webhook outcomes');
  let queue: { result: AttemptResult; until: number; settled: (() => void) | undefined }[] = [];
  let batch: typeof queue = [];
  let running: Promise<void> | undefined;
  let giveUpAt = Number.POSITIVE_INFINITY;

  const isInTime = ({ until }: { until: number }) => performance.now() < Math.min(until, giveUpAt);

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      batch = queue.splice(0, BATCH_MAX);
      while (batch.length > 0 && !(await writeBatch())) {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        const inTime = new Set(batch.filter(isInTime));
        const lost = batch.filter((waiting) => !inTime.has(waiting));
        if (lost.length > 0) log.error({ lost: lost.length }, 'webhook outcomes not recorded');
        for (const { settled } of lost) settled?.();
        batch = [...inTime];
      }
      batch = [];
    }
  }

  async function writeBatch(): Promise<boolean> {
    const results = batch.map(({ result }) => result);
    try {
      await write(results);
    } catch (error) {
      writing.failed(error);
      return false;
    }
    writing.recovered();
    for (const { settled } of batch) settled?.();
    written(results);
    return true;
  }

  const run = (): Promise<void> => (running ??= drain().finally(() => (running = undefined)));

  return {
    get waiting() {
      return queue.length + batch.length;
    },
    add(result, settled) {
      queue.push({ result, until: performance.now() + leaseMs, settled });
      void run();
    },
    async close() {
      giveUpAt = performance.now() + CLOSE_MAX_MS;
      await run();
    },
  };
}
