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

/**
 * Resolves once `condition` holds. An assertion that fails costs a stack of its own: this is for what is asked each millisecond,
 * so that something happens at that moment.
 */
export async function eventuallyTrue(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs = PATIENCE_MS, intervalMs = DEFAULT_INTERVAL_MS } = {},
): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= until) throw new Error(`after ${timeoutMs} ms it is not so yet: ${String(condition)}`);
    await sleep(intervalMs);
  }
}
