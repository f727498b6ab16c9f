import type { Logger } from 'pino';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { openDatabase, STATEMENT_TIMEOUT_MS } from '#lib/database.ts';
import {
  addressPolicy,
  type Backoff,
  breakerRules,
  createDispatcher,
  createResolve,
  createSender,
  type DeliveryObserver,
} from '#modules/webhooks';
import { listen } from './listen.ts';
import type { QueuePlace } from './queue.ts';
import { startSweeper } from './sweeper.ts';

/**
 * Deliveries in flight at once in this process, and how many of them one receiver may hold. So many that one claim covers
 * what is sent until the next one is back.
 */
const SLOTS = 256;
const PER_RECEIVER = 16;
/** One connection claims while the other records. */
const POOL_MAX = 2;
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** Their statements go by index, in its order. Planned while the tables were small, they would scan them when large. */
const PLANNER = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};

export interface WorkerDeps extends QueuePlace {
  readonly webhooks: {
    readonly backoff: Backoff;
    readonly timeoutMs: number;
    readonly allowedCidrs: readonly string[];
  };
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly log: Logger;
  readonly metrics?: { readonly webhooks: DeliveryObserver };
}

export interface RunningWorker {
  /** Takes no more, and resolves when what is in flight has ended and is recorded. */
  close(): Promise<void>;
}

/**
 * Delivers webhooks from now on, woken by the queue and by a sweep of its own. Does not wait for the queue and does not
 * fail without it: PostgreSQL alone says what is due.
 */
export function startWorker({
  webhooks,
  redisUrl,
  databaseUrl,
  clock,
  keyring,
  log,
  metrics,
}: WorkerDeps): RunningWorker {
  let closing = false;
  const onError = ({ message }: Error) => {
    if (!closing) log.warn({ error: message }, 'a connection of webhook delivery broke; the pool opens another');
  };
  const answerTimeoutMs = ANSWER_TIMEOUT_MS;
  const database = openDatabase(withSettings(databaseUrl, PLANNER), POOL_MAX, onError, { answerTimeoutMs });
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
    backoff: webhooks.backoff,
    breaker: breakerRules(webhooks.backoff.baseMs),
    leaseMs: 2 * webhooks.timeoutMs + 5_000,
    slots: SLOTS,
    perReceiver: PER_RECEIVER,
    onDue: (inMs) => sweeper.noLaterThan(inMs),
    observer: metrics?.webhooks,
  });
  const sweeper = startSweeper(dispatcher.pump);
  const listener = listen({ redisUrl, databaseUrl, log }, dispatcher.pump);

  return {
    async close() {
      closing = true;
      sweeper.close();
      await Promise.all([listener.close(), dispatcher.close()]);
      await sender.close();
      await database.close();
    },
  };
}

/** The same database, with settings for every connection to it. */
function withSettings(databaseUrl: string, settings: Record<string, string>): string {
  const url = new URL(databaseUrl);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set('options', [url.searchParams.get('options') ?? '', ...options].join(' ').trim());
  return url.href;
}
