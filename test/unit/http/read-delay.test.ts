import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createReadDelay } from '#http/read-delay.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A delay by a clock that only `turn` moves: a turn of the event loop of so many milliseconds, with what it reads at its end. */
function opened() {
  const clock = { ms: 0 };
  const delay = createReadDelay(() => clock.ms);
  const turn = (ms: number): number => {
    clock.ms += ms;
    vi.advanceTimersToNextTimer(); // one tick, however late
    return delay.atMostMs();
  };
  return { delay, turn };
}

it('says that what is read after a long turn may have waited for all of it', () => {
  const { delay, turn } = opened();
  delay.atMostMs();
  expect([10, 10, 80, 10, 10].map(turn)).toEqual([10, 10, 80, 10, 10]);
});

it('says so within a turn too: what is read late in it has waited until now', () => {
  const clock = { ms: 0 };
  const delay = createReadDelay(() => clock.ms);
  delay.atMostMs();
  clock.ms += 60;
  expect(delay.atMostMs()).toBe(60);
});

it('counts nothing from before the first question, nor from before a while without any', () => {
  const { turn } = opened();
  expect(turn(500)).toBe(0);
  while (vi.getTimerCount() > 0) vi.advanceTimersToNextTimer();
  expect(turn(60_000)).toBe(0);
});
