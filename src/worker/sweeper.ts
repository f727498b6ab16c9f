import { randomFraction } from '#lib/random.ts';

/** How late a delivery without a wake-up is seen: a flushed Redis, a process that died between commit and wake-up. */
const SWEEP_MS = 1_000;
const SWEEP_JITTER = 0.2;

export interface Sweeper {
  /** Looks again after `inMs`, if it would not sooner. */
  noLaterThan(inMs: number): void;
  close(): void;
}

/** Calls `look` about once a second, and at the moments it is told of. Needs nothing but this process. */
export function startSweeper(look: () => Promise<void>): Sweeper {
  let timer: NodeJS.Timeout | undefined;
  let at = Number.POSITIVE_INFINITY;
  let closed = false;

  function noLaterThan(inMs: number): void {
    const moment = performance.now() + inMs;
    if (closed || moment >= at) return;
    at = moment;
    clearTimeout(timer);
    timer = setTimeout(sweep, Math.max(0, inMs));
  }

  function sweep(): void {
    at = Number.POSITIVE_INFINITY;
    void look().finally(() => noLaterThan(SWEEP_MS * (1 + SWEEP_JITTER * (2 * randomFraction() - 1))));
  }

  sweep();
  return {
    noLaterThan,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
