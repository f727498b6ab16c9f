import type { Clock } from '#lib/clock.ts';

/** A clock that runs, and can be set forward. */
export interface TestClock extends Clock {
  advance(ms: number): void;
  /** From now on it moves by `advance` alone: for what is counted in seconds, on a machine of whatever speed. */
  stop(): void;
}

export function testClock(): TestClock {
  let offsetMs = 0;
  let stoppedAt: number | undefined;
  return {
    now: () => new Date((stoppedAt ?? Date.now()) + offsetMs),
    advance: (ms) => {
      offsetMs += ms;
    },
    stop: () => {
      stoppedAt ??= Date.now();
    },
  };
}
