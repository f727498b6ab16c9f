import { randomFraction } from '#lib/random.ts';

/** How late a delivery is found when nobody woke the worker: a flushed Redis, a process that died before it could. */
const POLL_MS = 1_000;
const POLL_JITTER = 0.2;

export interface Poller {
  /** Polls after `inMs`, unless it does so sooner. */
  noLaterThan(inMs: number): void;
  close(): void;
}

/** Calls `poll` about once a second, and at the times it is given. Needs nothing but this process. */
export function startPoller(poll: () => Promise<void>): Poller {
  let timer: NodeJS.Timeout | undefined;
  let at = Number.POSITIVE_INFINITY;
  let closed = false;

  function noLaterThan(inMs: number): void {
    const moment = performance.now() + inMs;
    if (closed || moment >= at) return;
    at = moment;
    clearTimeout(timer);
    timer = setTimeout(pollNow, Math.max(0, inMs));
  }

  function pollNow(): void {
    at = Number.POSITIVE_INFINITY;
    void poll().finally(() => noLaterThan(POLL_MS * (1 + POLL_JITTER * (2 * randomFraction() - 1))));
  }

  pollNow();
  return {
    noLaterThan,
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
