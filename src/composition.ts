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
 * Everything that operations are given: built once at start, closed once at the end. Each operation names the part it
 * takes, in its own words; nothing but the programs and the tests knows the whole.
 */
export interface Resources extends Config, Providers {
  /** The database's, but where a test has its own. */
  readonly clock: Clock;
  /** By how much the clock of this machine was ahead of the database's a moment ago; negative: behind. */
  readonly machineAheadMs: () => number;
  /** Whether this process is about to end. */
  readonly drain: Drain;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The metrics as text. */
  readonly scrape: Scrape;
  /** Names what whoever watches the server should find in its log. */
  readonly securityLog: SecurityLog;
  /** From where credentials are used. */
  readonly admission: Admission;
  /** What tells this process from others. */
  readonly processFacts: ProcessFacts;
  readonly knownAddresses: KnownAddresses;
  readonly db: Database;
  readonly pool: Pool;
  /** Asks the database. Why it cannot serve requests; undefined when it can. */
  readonly databaseTrouble: () => Promise<DatabaseTrouble | undefined>;
  /** Reads that may take long, with connections and a time limit of their own. */
  readonly longReads: Database;
  /** Runs such a read, each caller's in turn. */
  readonly readLong: ReadLong;
  /** Runs what may take hours, over a connection that is opened for it. */
  readonly workLong: WorkLong;
  readonly transact: Transact;
  /** The same database, for what runs by itself and may take longer than a request. */
  readonly background: {
    readonly db: Database;
    readonly pool: Pool;
    readonly longReads: Database;
    readonly transact: Transact;
  };
  /** Connects to the queue, which else the first wake-up of a worker does. */
  readonly connectQueue: () => void;
  /** What callers are authenticated by, as it was less than a second ago. */
  readonly partnerCredentials: PartnerCredentialsCache;
  readonly applicationCredentials: ApplicationCredentialsCache;
  readonly knownSessions: KnownSessions;
  /** Between which accounts partners move money. */
  readonly movementAccounts: MovementAccountsCache;
  readonly keyring: Keyring;
  /** What keeps the keyring up to date. */
  readonly dataKeys: OpenKeyring;
  /** What wraps the keys of the keyring: the first; the others still unwrap. */
  readonly roots: RootKeys;
  /** Posts movements that need no transaction of their own, many at a time. */
  readonly poster: Poster;
  /** Writes transactions between tags with the money they move. */
  readonly offers: Offers;
  /** Moves money between customers. */
  readonly transfers: Transfers;
  /** Holds money for payouts, and has them sent. */
  readonly payoutOrders: PayoutOrders;
  /** Reserves the keys of requests, and stores what was answered under them. */
  readonly idempotencyKeys: IdempotencyKeys;
  /** Tells of payments that had waited in suspense. */
  readonly afterSettling: AfterSettling;
  /** Tells whether what must be true of the stored rows is. */
  readonly checker: Checker;
  /** What each room keeps of a person. */
  readonly personExports: PersonExports;
  /** What each room deletes of a person. */
  readonly personErasures: readonly EraseOf[];
  /** Reads tags for the public. */
  readonly directory: Directory;
  /** Limits that hold across processes. */
  readonly throttles: Throttles;
  /** Authenticated calls by credential, in this process. */
  readonly callLimit: LocalThrottle;
  /** Public look-ups of tags by address, in this process. */
  readonly resolveLimit: LocalThrottle;
  /** The code that the simulated messenger always sends; undefined where a real one sends random ones. */
  readonly testCode: string | undefined;
  /** Where the database is, past a pooler; with the embedded one, known only once it runs. */
  readonly databaseUrl: string;
}

/** Closes what is open already when what comes next cannot be opened. */
const closing = (...opened: { close?: () => unknown }[]) => {
  return async (failure: unknown): Promise<never> => {
    for (const one of opened) await one.close?.();
    throw failure;
  };
};

/** Opens what this process needs. `close` ends it all, in the order in which nothing is lost. */
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
