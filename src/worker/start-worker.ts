import type { Logger } from 'pino';
import { addressPolicy, createDispatcher, createResolve, createSender } from '#modules/webhooks';
import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Keyring } from '../lib/crypto/keyring.ts';
import { openDatabase } from '../lib/database.ts';
import { listen } from './listen.ts';
import type { QueuePlace } from './queue.ts';
import { startSweeper } from './sweeper.ts';

/** Deliveries in flight at once in this process, and how many of them one receiver may hold. */
const SLOTS = 64;
const PER_RECEIVER = 16;
/** One connection claims while the other records. */
const POOL_MAX = 2;
/** All their statements go by index. Planned while the tables were small, they would scan them when they are large. */
const PLANNER = 'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set jit = off';

export interface WorkerDeps extends QueuePlace {
  readonly config: Pick<
    Config,
    'REDIS_URL' | 'WEBHOOK_ALLOWED_CIDRS' | 'WEBHOOK_BACKOFF_BASE_MS' | 'WEBHOOK_BACKOFF_JITTER' | 'WEBHOOK_TIMEOUT_MS'
  >;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly log: Logger;
}

export interface RunningWorker {
  /** Takes no more, and resolves when what is in flight has ended and is recorded. */
  close(): Promise<void>;
}

/**
 * Delivers webhooks from now on, woken by the queue and by a sweep of its own. Does not wait for the queue and does not
 * fail without it: PostgreSQL alone says what is due.
 */
export function startWorker({ config, databaseUrl, clock, keyring, log }: WorkerDeps): RunningWorker {
  const database = openDatabase(databaseUrl, POOL_MAX, (error) =>
    log.warn({ error: error.message }, 'a delivery connection broke'),
  );
  database.pool.on('connect', (client) => void client.query(PLANNER).catch(() => undefined));
  const sender = createSender({
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    allows: addressPolicy(config.WEBHOOK_ALLOWED_CIDRS),
    resolve: createResolve(),
    connectionsPerOrigin: SLOTS,
  });
  const dispatcher = createDispatcher({
    pool: database.pool,
    sender,
    keyring,
    clock,
    log,
    backoff: { baseMs: config.WEBHOOK_BACKOFF_BASE_MS, jitter: config.WEBHOOK_BACKOFF_JITTER },
    leaseMs: 2 * config.WEBHOOK_TIMEOUT_MS + 5_000,
    slots: SLOTS,
    perReceiver: PER_RECEIVER,
    onDue: (inMs) => sweeper.noLaterThan(inMs),
  });
  const sweeper = startSweeper(dispatcher.pump);
  const listener = listen({ config, databaseUrl, log }, dispatcher.pump);

  return {
    async close() {
      sweeper.close();
      await Promise.all([listener.close(), dispatcher.close()]);
      await sender.close();
      await database.close();
    },
  };
}
