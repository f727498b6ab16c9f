import type { Logger } from 'pino';
import { type Clock, systemClock } from '#lib/clock.ts';
import { createKeyring, type Keyring } from '#lib/crypto/keyring.ts';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { createDirectory, type Directory } from '#modules/claims';
import { createPoster, type Poster } from '#modules/ledger';
import { createLocalThrottle, createThrottles, type LocalThrottle, type Throttles } from '#modules/throttles';
import type { Config } from './config.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { openProviders, type Providers } from './providers/open-providers.ts';
import { openWakeUps } from './worker/wake-ups.ts';

/** What operations are given: built once at start, closed once at the end. They take the part they need. */
export interface Resources extends Providers {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly db: DatabaseHandle['db'];
  readonly pool: DatabaseHandle['pool'];
  readonly keyring: Keyring;
  /** Posts movements that need no transaction of their own, many at a time. */
  readonly poster: Poster;
  /** Reads tags for the public. */
  readonly directory: Directory;
  /** Limits that hold across processes. */
  readonly throttles: Throttles;
  /** Authenticated calls by credential, in this process. */
  readonly callLimit: LocalThrottle;
  /** Public look-ups of tags by address, in this process. */
  readonly resolveLimit: LocalThrottle;
  /** Called after a commit that wrote events: the worker looks at once instead of at its next sweep. */
  readonly wake: () => void;
  /** Where the database is; with the embedded one, known only once it runs. */
  readonly databaseUrl: string;
  /** Origin of the links we hand out, and the issuer of our tokens. */
  readonly publicUrl: string;
}

/** Opens what this process needs. `close` ends it all, in the order in which nothing is lost. */
export function openResources(
  config: Config,
  databaseUrl: string,
  log: Logger,
  clock: Clock = systemClock,
): Resources & { close(): Promise<void> } {
  let closing = false;
  const database = openDatabase(databaseUrl, config.DATABASE_POOL_MAX, (error) => {
    if (!closing) log.warn({ err: error }, 'a database connection broke; the pool opens another');
  });
  const keyring = createKeyring(config.MASTER_KEY);
  const throttles = createThrottles({ pool: database.pool, keyring, clock, log, redisUrl: config.REDIS_URL });
  const providers = openProviders(config);
  const wakeUps = openWakeUps({ config, databaseUrl, log });
  return {
    config,
    clock,
    log,
    metrics: createMetrics(),
    db: database.db,
    pool: database.pool,
    keyring,
    poster: createPoster(database.pool),
    directory: createDirectory(database.pool),
    throttles,
    callLimit: createLocalThrottle({ name: 'calls', points: config.RATE_LIMIT_CALLS_PER_S, windowS: 1 }, clock),
    resolveLimit: createLocalThrottle(
      { name: 'look-ups', points: config.RATE_LIMIT_RESOLVES_PER_S, windowS: 1 },
      clock,
    ),
    ...providers,
    wake: () => wakeUps.wake(),
    databaseUrl,
    publicUrl: config.PUBLIC_URL ?? `http://localhost:${config.PORT}`,
    close: async () => {
      closing = true;
      await wakeUps.close();
      throttles.close();
      await providers.close();
      await database.close();
    },
  };
}
