import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { outageLogger } from '#lib/log.ts';
import { type Meter, noMeter } from '#lib/meter.ts';
import { openDatabase, STATEMENT_TIMEOUT_MS, withSettings } from '#lib/postgres/database.ts';
import { randomFraction } from '#lib/random.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import {
  addressPolicy,
  type Backoff,
  breakerRules,
  createDispatcher,
  createResolve,
  createSender,
} from '#modules/webhooks';
import { openWorker, type QueuePlace, type WakeUpWorker } from './queue.ts';

const REOPEN_MS = 1_000;

/**
 * Calls `onWake` for every wake-up until closed. When the queue cannot be reached it is opened again: a queue that was never reached
 * remembers its failure.
 */
export function startConsumer(
  { log, metrics = noMeter, ...place }: QueuePlace & { readonly log: Logger; readonly metrics?: Meter | undefined },
  onWake: () => Promise<void>,
): { close(): Promise<void> } {
  const queueing = outageLogger(log, 'taking webhook wake-ups');
  const closing = new AbortController();
  const closed = new Promise<void>((resolve) => {
    closing.signal.addEventListener('abort', () => resolve(), { once: true });
  });

  async function wake(): Promise<void> {
    queueing.recovered();
    metrics.add('paytag_queue_wake_ups_total', { outcome: 'received' });
    await onWake();
  }

  async function consume(worker: WakeUpWorker): Promise<void> {
    await worker.ready();
    queueing.recovered();
    await worker.run();
  }

  async function consumeUntilClosed(): Promise<void> {
    while (!closing.signal.aborted) {
      const worker = openWorker(place, wake, queueing.failed);
      await Promise.race([consume(worker).catch(queueing.failed), closed]);
      await worker.close();
      await sleep(REOPEN_MS, undefined, { signal: closing.signal }).catch(() => undefined); // cut short by close
    }
  }

  const consuming = consumeUntilClosed();
  return {
    close() {
      queueing.end();
      closing.abort();
      return consuming;
    },
  };
}

/** The longest delay of a delivery without a wake-up, e.g. after Redis was flushed or the process died before it sent one. */
const POLL_MS = 1_000;
const POLL_JITTER = 0.2;

interface Poller {
  /** Polls after `inMs` at the latest. */
  noLaterThan(inMs: number): void;
  close(): void;
}

/** Calls `poll` about once a second, and at the times that `noLaterThan` sets. */
function startPoller(poll: () => Promise<void>): Poller {
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

/**
 * Deliveries in flight in this process, in all and for one receiver. Enough that one claim lasts until the next returns.
 */
const SLOTS = 256;
const PER_RECEIVER = 16;
/** One connection claims while the other records. */
const POOL_MAX = 2;
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/**
 * Keeps both statements on their indexes: a plan from when the tables were small would scan large ones.
 */
const PLANNER = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};

export interface DeliveryDeps extends QueuePlace {
  readonly webhooks: {
    readonly backoff: Backoff;
    readonly timeoutMs: number;
    readonly allowedCidrs: readonly string[];
  };
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly log: Logger;
  readonly securityLog: SecurityLog;
  readonly metrics?: Meter;
}

/**
 * Delivers webhooks until closed, on wake-ups of the queue and on its own polls. Works without the queue: PostgreSQL alone says what
 * is due. `close` resolves when the deliveries in flight have ended and are recorded.
 */
export function startDelivery(deps: DeliveryDeps): { close(): Promise<void> } {
  const { webhooks, redisUrl, databaseUrl, clock, keyring, log, securityLog, metrics } = deps;
  let closing = false;
  const onError = ({ message }: Error) => {
    if (!closing)
      log.warn({ event: 'database.connection_lost', error: message }, 'a connection of webhook delivery broke');
  };
  const answerTimeoutMs = ANSWER_TIMEOUT_MS;
  const database = openDatabase(withSettings(databaseUrl, PLANNER), POOL_MAX, onError, {
    answerTimeoutMs,
    applicationName: 'paytag-webhooks',
    ...(metrics && { metrics }),
  });
  const sender = createSender({
    timeoutMs: webhooks.timeoutMs,
    allows: addressPolicy(webhooks.allowedCidrs),
    resolve: createResolve(),
    connectionsPerOrigin: SLOTS,
  });
  const dispatcher = createDispatcher({
    pool: database.pool,
    sender,
    keyring,
    clock,
    log,
    securityLog,
    backoff: webhooks.backoff,
    breaker: breakerRules(webhooks.backoff.baseMs),
    leaseMs: 2 * webhooks.timeoutMs + 5_000,
    slots: SLOTS,
    perReceiver: PER_RECEIVER,
    onDue: (inMs) => poller.noLaterThan(inMs),
    metrics,
  });
  const poller = startPoller(dispatcher.pump);
  const consumer = startConsumer({ redisUrl, databaseUrl, log, metrics }, dispatcher.pump);

  return {
    async close() {
      closing = true;
      poller.close();
      await Promise.all([consumer.close(), dispatcher.close()]);
      await sender.close();
      await database.close();
    },
  };
}
