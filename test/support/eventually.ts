import { setTimeout as sleep } from 'node:timers/promises';

/** No promise of ours: it ends a wait for what never comes, on the slowest machine that may run the tests. */
export const PATIENCE_MS = 120_000;
const DEFAULT_INTERVAL_MS = 20;

/**
 * Tries `assertion` again and again until it passes, and resolves to what it returned. When the time is over it fails as
 * the last try did. It waits for the thing itself; a test never sleeps for a fixed time.
 */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  { timeoutMs = PATIENCE_MS, intervalMs = DEFAULT_INTERVAL_MS } = {},
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() >= until) throw error;
    }
    await sleep(intervalMs);
  }
}
