import type { Clock } from '../../src/lib/clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A clock that runs, and can be set forward. In the last hour of a day in Lagos it begins with the next: none ends by chance. */
export interface TestClock extends Clock {
  advance(ms: number): void;
  /** From now on it moves by `advance` alone: for what is counted in seconds, on a machine of whatever speed. */
  stop(): void;
}

/** How long this day in Lagos, an hour before UTC all year round, still lasts. */
const leftOfDay = (): number => DAY_MS - ((Date.now() + HOUR_MS) % DAY_MS);

export function testClock(): TestClock {
  let offsetMs = leftOfDay() < HOUR_MS ? leftOfDay() : 0;
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
