import type { PgPool, QueueOptions, WorkerOptions } from 'bullmq';
import pg from 'pg';
import { withTimeout } from '#lib/clock.ts';
import { lazy, lazyPackage } from '#lib/lazy.ts';
import type { ClientClass, Connected } from '#lib/postgres/client.ts';
import { watchDatabase } from '#lib/postgres/watch.ts';
import { QUEUE_SCHEMA } from '../migrate.ts';

const QUEUE = 'webhooks';
const JOB = 'drain';
const JOB_OPTIONS = {
  deduplication: { id: JOB, keepLastIfActive: true },
  removeOnComplete: true,
  removeOnFail: true,
};
/** The queue's own events have no reader, so few are stored. */
const EVENTS_MAX = 100;
/** A wake-up is short: one that takes longer belongs to a dead process, and another process gets it. */
const LOCK_MS = 10_000;
const RECONNECT_MAX_MS = 2_000;
const CLOSE_MAX_MS = 2_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** The pause before BullMQ connects to PostgreSQL again. */
const REFUSED_AGAIN_MS = 500;

/** The store of the queue: Redis if there is one, otherwise our database. */
export interface QueuePlace {
  readonly redisUrl: string | undefined;
  readonly databaseUrl: string;
}

/** Loaded with the first wake-up that a process sends or receives. */
const bullmq = lazyPackage<typeof import('bullmq')>('bullmq');
const onPostgres = lazy(() => bullmq().withBackend(bullmq().createPostgresBackend));

/**
 * Our own pool for the backend, LISTEN included: a connection that breaks without an error listener would end the process, and the
 * backend adds its listener a moment too late. With Redis the pool stays empty.
 */
function postgres(connectionString: string, max: number): { pool: PgPool; end: () => void } {
  const settings: pg.PoolConfig = {
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'paytag-queue',
    options: `-c search_path=${QUEUE_SCHEMA}`,
  };
  const watch = watchDatabase({ settings });
  const own = new pg.Pool({ ...settings, max, Client: slowToFail(watch.Client) });
  own.on('connect', (client) => client.on('error', () => undefined));
  const pool: unknown = own;
  if (!bullmq().isPgPool(pool)) throw new Error('BullMQ does not know the pool of pg for one');
  return {
    pool,
    end() {
      watch.close();
      void pool.end().catch(() => undefined);
    },
  };
}

/** A client that reports a failed connection with a delay: BullMQ retries at once unless the connection was refused. */
const slowToFail = (Client: ClientClass): ClientClass =>
  class extends Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      if (callback === undefined) return super.connect();
      super.connect((error: Error | null) => {
        if (error) setTimeout(callback, REFUSED_AGAIN_MS, error);
        else callback(null, this);
      });
      return undefined;
    }
  };

const redis = (url: string) => ({
  url,
  retryStrategy: (times: number) => Math.min(100 * 2 ** times, RECONNECT_MAX_MS),
});

/** The sending end. */
export interface WakeUpQueue {
  /** At most one wake-up of all processes is pending; one that comes while another is handled is handled afterwards. */
  add(): Promise<unknown>;
  /** Takes a few seconds at most, and never rejects. */
  close(): Promise<void>;
}

/** Opens the sending end, which connects in the background. Errors of the connection go to `onError`. */
export function openQueue({ redisUrl, databaseUrl }: QueuePlace, onError: (error: Error) => void): WakeUpQueue {
  const options = { streams: { events: { maxLen: EVENTS_MAX } } } satisfies Omit<QueueOptions, 'connection'>;
  const place = postgres(databaseUrl, 1);
  const queue =
    redisUrl === undefined
      ? new (onPostgres().Queue)(QUEUE, { ...options, connection: place.pool })
      : new (bullmq().Queue)(QUEUE, { ...options, connection: { ...redis(redisUrl), enableOfflineQueue: false } });
  queue.on('error', onError);
  return { add: () => queue.add(JOB, {}, JOB_OPTIONS), close: () => close(queue, place.end) };
}

/** The receiving end. */
export interface WakeUpWorker {
  /** Resolves when the queue is reached. */
  ready(): Promise<unknown>;
  /** Delivers wake-ups until closed. */
  run(): Promise<void>;
  /** Waits for the wake-up under way, a few seconds at most, and never rejects. */
  close(): Promise<void>;
}

/** Opens the receiving end, which delivers nothing before `run`. `onWake` is called for one wake-up at a time. */
export function openWorker(
  { redisUrl, databaseUrl }: QueuePlace,
  onWake: () => Promise<void>,
  onError: (error: Error) => void,
): WakeUpWorker {
  const options = {
    autorun: false,
    lockDuration: LOCK_MS,
    stalledInterval: LOCK_MS,
    runRetryDelay: RECONNECT_MAX_MS,
  } satisfies Omit<WorkerOptions, 'connection'>;
  const place = postgres(databaseUrl, 3);
  const worker =
    redisUrl === undefined
      ? new (onPostgres().Worker)(QUEUE, onWake, { ...options, connection: place.pool })
      : new (bullmq().Worker)(QUEUE, onWake, {
          ...options,
          connection: { ...redis(redisUrl), maxRetriesPerRequest: null },
        });
  worker.on('error', onError);
  return { ready: () => worker.waitUntilReady(), run: () => worker.run(), close: () => close(worker, place.end) };
}

/** Closes gracefully for as long as CLOSE_MAX_MS, then disconnects. Never rejects. */
async function close(
  end: { close(): Promise<unknown>; disconnect(): Promise<unknown> },
  endPool: () => void,
): Promise<void> {
  const ignored = () => undefined;
  await withTimeout(end.close().catch(ignored), CLOSE_MAX_MS);
  void end.disconnect().catch(ignored); // while its store is away, it may never end
  endPool();
}
