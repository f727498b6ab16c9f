import type { Pool } from 'pg';
import { afterEach } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import {
  addressPolicy,
  breakerRules,
  createDispatcher,
  createResolve,
  createSender,
  type Dispatcher,
} from '#modules/webhooks';
import { type TestLog, testLog } from './log.ts';
import { keyring } from './outbox.ts';

/** In flight at once, and of one receiver. */
const SLOTS = 16;
export const PER_RECEIVER = 4;

export interface TestDispatchers {
  /**
   * A dispatcher that pumps by itself when something is due, as a worker does, with a backoff of a few milliseconds. It
   * is closed after the test.
   */
  start(given: { pool: Pool; baseMs?: number; timeoutMs?: number }): Dispatcher;
  /** What those of this test logged. */
  readonly kept: TestLog;
}

export function useDispatchers(): TestDispatchers {
  const running: { close(): Promise<void> }[] = [];
  let kept = testLog();
  afterEach(async () => {
    for (const one of running.splice(0)) await one.close();
    kept = testLog();
  });
  return {
    get kept() {
      return kept;
    },
    start({ pool, baseMs = 1, timeoutMs = 60_000 }) {
      const timers = new Set<NodeJS.Timeout>();
      const allows = addressPolicy(['127.0.0.0/8']);
      const sender = createSender({ timeoutMs, allows, resolve: createResolve(), connectionsPerOrigin: SLOTS });
      const dispatcher: Dispatcher = createDispatcher({
        pool,
        sender,
        keyring,
        clock: systemClock,
        log: kept.log,
        backoff: { baseMs, jitter: 0.2 },
        breaker: breakerRules(baseMs),
        leaseMs: 300_000,
        slots: SLOTS,
        perReceiver: PER_RECEIVER,
        onDue: (inMs) => void timers.add(setTimeout(() => void dispatcher.pump(), inMs)),
      });
      running.push({
        async close() {
          for (const timer of timers) clearTimeout(timer);
          await dispatcher.close();
          await sender.close();
        },
      });
      return dispatcher;
    },
  };
}
