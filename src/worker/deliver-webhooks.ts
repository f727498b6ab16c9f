import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { Meter } from '#lib/meter.ts';
import { openDatabase, STATEMENT_TIMEOUT_MS, withSettings } from '#lib/postgres/database.ts';
import type { SecurityLog } from '#lib/security-events.ts';
import {
  addressPolicy,
  type Backoff,
  breakerRules,
  createDispatcher,
  createResolve,
  createSender,
} from '#modules/webhooks';
import { startPoller } from './poller.ts';
import type { QueuePlace } from './queue.ts';
import { startConsumer } from './queue-consumer.ts';

/**
 * Deliveries in flight at once in this process, and how many of them one receiver may have. Enough that one claim covers
 * what is sent until the next one returns.
 */
const SLOTS = 256;
const PER_RECEIVER = 16;
/** One connection claims while the other records. */
const POOL_MAX = 2;
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/**
 * Both statements go by index, in the order in which they are written. A plan made while the tables were small would scan
 * them when they are large.
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
 * Delivers webhooks until closed, woken by the queue and by a poll of its own. Does not wait for the queue and does not
 * fail without it: PostgreSQL alone says what is due. `close` resolves when what is in flight has ended and is recorded.
 */
export function startDelivery(deps: DeliveryDeps): { close(): Promise<void> } {
  const { webhooks, redisUrl, databaseUrl, clock, keyring, log, securityLog, metrics } = deps;
  let closing = false;
  const onError = ({ message }: Error) => {
    if (!closing) log.warn({ error: message }, 'a connection of webhook delivery broke; the pool opens another');
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
