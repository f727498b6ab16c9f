import type { Clock } from './clock.ts';

/** So long one reading is good for all who ask. */
const FRESH_MIN_MS = 1_000;
/** After a reading that took long, nothing is read for so many times as long: reading takes a tenth of the time at most. */
const REST = 9;

/**
 * Gives what `read` reads to everybody who asks: one reading runs at a time, all who ask while it does get what it brings, and
 * it stays good for a second or nine times as long as it took. So it does not matter how many ask, or how often.
 */
export function createSharedReading<T>(read: () => Promise<T>, clock: Clock): () => Promise<T> {
  let last: { readonly value: T; readonly endedAt: number; readonly freshMs: number } | undefined;
  let running: Promise<T> | undefined;

  const isFresh = (): boolean => {
    const age = last === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() - last.endedAt;
    return last !== undefined && age >= 0 && age < last.freshMs; // a clock that was set back makes it stale
  };
  const readAnew = async (): Promise<T> => {
    const beganAt = clock.now().getTime();
    const value = await read();
    const endedAt = clock.now().getTime();
    last = { value, endedAt, freshMs: Math.max(FRESH_MIN_MS, (endedAt - beganAt) * REST) };
    return value;
  };
  return async () => {
    if (running !== undefined) return running;
    if (last !== undefined && isFresh()) return last.value;
    running = readAnew().finally(() => {
      running = undefined;
    });
    return running;
  };
}
