import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { createDrain, type Drain } from '#http/drain.ts';
import { elsewhereOf } from '#http/overload.ts';
import { type Admission, createAdmission } from '#lib/admission.ts';
import type { Clock } from '#lib/clock.ts';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { openCaches } from '#lib/postgres/caches.ts';
import { askClockOf, type DatabaseClock, openDatabaseClock } from '#lib/postgres/database-clock.ts';
import type { Database } from '#lib/postgres/executor.ts';
import type { DatabaseTrouble } from '#lib/postgres/failures.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { createLongWork, type WorkLong } from '#lib/postgres/long-work.ts';
import { createTransact, type Transact } from '#lib/postgres/transact.ts';
import type { EraseOf } from '#lib/room.ts';
import { createSecurityLog, type SecurityLog } from '#lib/security-events.ts';
import type { PersonExports } from '#modules/accounts';
import {
  type ApplicationCredentialsCache,
  cacheApplicationCredentials,
  cachePartnerCredentials,
  type PartnerCredentialsCache,
} from '#modules/clients';
import { publishSettled } from '#modules/collections';
import { createDirectory, type Directory } from '#modules/consent';
import { createIdempotencyKeys, type IdempotencyKeys } from '#modules/idempotency';
import type { ProcessFacts } from '#modules/keys';
import { type OpenKeyring, openKeyring } from '#modules/keys';
import { type AfterSettling, createPoster, POSTING_PURPOSE, type Poster } from '#modules/ledger';
import {
  createKnownAddresses,
  createLocalThrottle,
  createThrottles,
  type KnownAddresses,
  type LocalThrottle,
  type Throttles,
} from '#modules/limits';
import { createOffers, type Offers } from '#modules/offers';
import { createPayoutOrders, type PayoutOrders } from '#modules/payouts';
import { type Checker, createChecker } from '#modules/proof';
import { createDisturber } from '#modules/sandbox';
import { cacheSessions, type KnownSessions } from '#modules/sessions';
import { cacheMovementAccounts, createTransfers, type MovementAccountsCache, type Transfers } from '#modules/wallets';
import type { Config } from './config/config.ts';
import { openDatabases } from './databases.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { openScrape, type Scrape } from './metrics/scrape.ts';
import { openRootKeys, type RootKeys } from './providers/kms/open-root-keys.ts';
import { openProviders, type Providers } from './providers/open-providers.ts';
import { phoneSimulator } from './providers/simulators.ts';
import { invariantsOf, personErasures, personExports } from './rooms.ts';
import { version } from './version.ts';
import { openProducer } from './worker/queue-producer.ts';

/**
 * The dependencies of all operations: built once at the start, closed once at the end. Each operation names the part that it takes; only
 * programs and tests use the whole.
 */
export interface Resources extends Config, Providers {
  /** The database's clock, unless a test gives its own. */
  readonly clock: Clock;
  /** How far the clock of this machine is ahead of the database's; negative: behind. */
  readonly machineAheadMs: () => number;
  /** The state of the shutdown. */
  readonly drain: Drain;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The metrics as text. */
  readonly scrape: Scrape;
  /** Records security events in the log. */
  readonly securityLog: SecurityLog;
  readonly admission: Admission;
  /** Identifies this process. */
  readonly processFacts: ProcessFacts;
  /** The addresses from which credentials are used. */
  readonly knownAddresses: KnownAddresses;
  readonly db: Database;
  readonly pool: Pool;
  /** Why the database cannot serve requests; undefined when it can. Asks the database. */
  readonly databaseTrouble: () => Promise<DatabaseTrouble | undefined>;
  /** For long reads, with connections and a time limit of their own. */
  readonly longReads: Database;
  /** Runs a long read; callers take turns. */
  readonly readLong: ReadLong;
  /** Runs work of up to hours, on a connection of its own. */
  readonly workLong: WorkLong;
  readonly transact: Transact;
  /** The same database for background work, which may take longer than a request. */
  readonly background: {
    readonly db: Database;
    readonly pool: Pool;
    readonly longReads: Database;
    readonly transact: Transact;
  };
  /** Connects to the queue ahead of the first wake-up. */
  readonly connectQueue: () => void;
  /** Credentials of callers, at most a second old. */
  readonly partnerCredentials: PartnerCredentialsCache;
  readonly applicationCredentials: ApplicationCredentialsCache;
  readonly knownSessions: KnownSessions;
  /** The accounts between which partners move money. */
  readonly movementAccounts: MovementAccountsCache;
  readonly keyring: Keyring;
  /** Keeps the keyring up to date. */
  readonly dataKeys: OpenKeyring;
  /** The root keys: the first wraps the keys of the keyring, the others still unwrap. */
  readonly roots: RootKeys;
  /** Posts movements that need no transaction of their own, in batches. */
  readonly poster: Poster;
  /** Writes transactions between tags with the money they move. */
  readonly offers: Offers;
  /** Moves money between customers. */
  readonly transfers: Transfers;
  /** Holds money for payouts and orders them. */
  readonly payoutOrders: PayoutOrders;
  /** Reserves idempotency keys, and stores the answers under them. */
  readonly idempotencyKeys: IdempotencyKeys;
  /** Publishes payments that leave suspense. */
  readonly afterSettling: AfterSettling;
  /** Checks the invariants of the stored rows. */
  readonly checker: Checker;
  /** Each room's export of a person. */
  readonly personExports: PersonExports;
  /** Each room's erasure of a person. */
  readonly personErasures: readonly EraseOf[];
  /** Reads tags for the public. */
  readonly directory: Directory;
  /** Limits that hold across processes. */
  readonly throttles: Throttles;
  /** Authenticated calls by credential, in this process. */
  readonly callLimit: LocalThrottle;
  /** Public look-ups of tags by address, in this process. */
  readonly resolveLimit: LocalThrottle;
  /** The fixed code of the simulated messenger; undefined with a real one, whose codes are random. */
  readonly testCode: string | undefined;
  /** The database without a pooler; known for an embedded one once it runs. */
  readonly databaseUrl: string;
}

/** Closes what is already open when the next step fails. */
const closing = (...opened: { close?: () => unknown }[]) => {
  return async (failure: unknown): Promise<never> => {
    for (const one of opened) await one.close?.();
    throw failure;
  };
};

/** Opens the resources of this process. `close` closes them in the order in which nothing is lost. */
export async function openResources(
  config: Config,
  givenUrl: string,
  log: Logger,
  given?: Clock,
): Promise<Resources & { close(): Promise<void> }> {
  const { limits, redisUrl } = config;
  const metrics = createMetrics();
  metrics.set(
    'paytag_build_info',
    { version, node: process.versions.node, environment: config.environment, role: config.role },
    1,
  );
  const database = openDatabases(config, givenUrl, { log, metrics });
  const { db, pool, longReads, readLong, directUrl: databaseUrl } = database;
  const measured = (aheadMs: number) => metrics.set('paytag_clock_ahead_seconds', {}, aheadMs / 1000);
  const clock: Clock & Partial<DatabaseClock> =
    given ?? (await openDatabaseClock({ ask: askClockOf(pool), log, measured }).catch(closing(database)));
  const rootKeys = openRootKeys(config.rootKey);
  const { roots } = rootKeys;
  const dataKeys = await openKeyring({ db, roots, log, metrics }).catch(closing(rootKeys, database, clock));
  const { keyring } = dataKeys;
  const throttles = createThrottles({ db, keyring, clock, log, redisUrl, metrics });
  const producer = openProducer({ redisUrl, databaseUrl, log, metrics });
  const authenticate = (facts: string): Buffer => keyring.vouchFor(POSTING_PURPOSE, facts);
  const invariants = async () => invariantsOf(config, keyring);
  const securityLog = createSecurityLog({
    log,
    counted: (event) => metrics.add('paytag_security_events_total', { event }),
  });
  const knownAddresses = createKnownAddresses({ db, keyring, clock, log, securityLog });
  const { scrape, close: closeScrape } = openScrape({ databaseUrl, metrics, clock, log });
  const caches = openCaches({ databaseUrl, clock, log });
  const admission = createAdmission(config.requestsRunningMax);
  const providers = openProviders(config.providers, config, createDisturber({ db, caches }), {
    metrics,
    elsewhere: elsewhereOf(admission),
  });
  const checker = createChecker({ databaseUrl, db, clock, log, invariants });
  const poster = createPoster(pool, authenticate, producer.wake, metrics);
  const transactOn = (on: Pool) => createTransact(on, producer.wake, (...changed) => caches.forget(...changed));
  return {
    ...config,
    ...providers,
    processFacts: {
      version,
      node: process.versions.node,
      host: hostname(),
      pid: process.pid,
      startedAt: new Date(performance.timeOrigin),
    },
    clock,
    machineAheadMs: () => clock.machineAheadMs ?? 0,
    drain: createDrain(),
    log,
    metrics,
    scrape,
    securityLog,
    knownAddresses,
    admission,
    db,
    pool,
    databaseTrouble: () => database.trouble(),
    longReads,
    readLong,
    workLong: createLongWork(databaseUrl),
    background: { ...database.background, transact: transactOn(database.background.pool) },
    connectQueue: producer.connect,
    transact: transactOn(pool),
    partnerCredentials: cachePartnerCredentials(caches, db, { keyring, clock, environment: config.environment }),
    applicationCredentials: cacheApplicationCredentials(caches, db, keyring),
    knownSessions: cacheSessions(caches, db),
    movementAccounts: cacheMovementAccounts(caches, db, keyring),
    keyring,
    dataKeys,
    roots,
    poster,
    offers: createOffers(pool, producer.wake, metrics),
    transfers: createTransfers(pool, poster, producer.wake, metrics),
    payoutOrders: createPayoutOrders(pool, metrics),
    idempotencyKeys: createIdempotencyKeys(pool),
    afterSettling: publishSettled({ keyring, publicUrl: config.publicUrl }),
    checker,
    personExports,
    personErasures,
    directory: createDirectory(db, database.readPublic),
    throttles,
    callLimit: createLocalThrottle({ name: 'calls', points: limits.callsPerS, windowS: 1 }, clock, metrics),
    resolveLimit: createLocalThrottle({ name: 'look-ups', points: limits.resolvesPerS, windowS: 1 }, clock, metrics),
    testCode: config.providers.phone.provider === 'simulator' ? phoneSimulator.newCode() : undefined,
    databaseUrl,
    close: async () => {
      clock.close?.();
      await checker.close();
      await closeScrape();
      await producer.close();
      await caches.close();
      await knownAddresses.close();
      throttles.close();
      await dataKeys.close();
      await Promise.all([providers.close(), rootKeys.close()]);
      await database.close();
    },
  };
}
