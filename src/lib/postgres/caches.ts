import pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { outageLogger } from '../log.ts';
import { cut, endClient } from './client.ts';
import { withSettings } from './database.ts';

/** Triggers notify on it: the name of what changed and, where it is not all of it, the keys, separated by blanks. */
const CHANNEL = 'paytag_changes';

/** What this process keeps in memory of the database for a while. Notifications of PostgreSQL end it when another process changes it. */
export interface Caches {
  /**
   * A cache of what changes under this name. Several may share a name.
   *
   * @param read answers what is there of these keys
   * @param bounds for less than a second, unless they are given: longer where whatever is done with it is refused when it has changed
   */
  open<Value>(
    name: string,
    read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>,
    bounds?: CacheBounds,
  ): BoundedCache<Value>;
  /** What has this name was changed by this process: all of it, or these keys. */
  forget(name: string, keys?: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Listens as soon as something is read. While the connection is away no notification comes, and an entry is as old as it may be
 * at most: that is what is promised, notifications only make it sooner.
 */
export function openCaches(deps: { databaseUrl: string; clock: Clock; log: Logger }): Caches {
  const { databaseUrl, clock, log } = deps;
  const caches = new Map<string, BoundedCache<unknown>[]>();
  const absence = outageLogger(log, 'listening for changes of what is kept in memory');
  let listening: ReturnType<typeof listenTo> | undefined;

  const forget = (name: string, keys?: readonly string[]): void => {
    for (const cache of caches.get(name) ?? []) cache.forget(keys);
  };
  const forgetAll = (): void => {
    for (const name of caches.keys()) forget(name);
  };
  const listen = () =>
    listenTo(databaseUrl, CHANNEL, {
      onNotification(payload) {
        const [name = '', ...keys] = payload.split(' ');
        forget(name, keys.length === 0 ? undefined : keys);
      },
      onListening() {
        forgetAll();
        absence.recovered();
      },
      onError(error) {
        forgetAll();
        absence.failed(error);
      },
    });

  return {
    open(name, read, bounds) {
      const cache = createBoundedCache(
        (keys) => {
          listening ??= listen();
          return read(keys);
        },
        clock,
        bounds,
      );
      caches.set(name, [...(caches.get(name) ?? []), cache]);
      return cache;
    },
    forget,
    async close() {
      absence.end();
      await listening?.close();
    },
  };
}

/** How much is held, and for how long. */
export interface CacheBounds {
  /** So old may what is held be at most. */
  readonly lifeMs: number;
  /** Beyond so many entries the one that was read first is dropped. */
  readonly entriesMax: number;
}

/** Less than a second, so that with the request it is used for it is none older. */
const OF_A_SECOND: CacheBounds = { lifeMs: 900, entriesMax: 10_000 };
/** The most keys in one read. */
const BATCH_MAX = 256;

/** What the database holds, as it was less than `lifeMs` ago. Only what is there is held, never that something is not. */
export interface BoundedCache<Value> {
  /**
   * From memory, where it was read less than `lifeMs` ago and `isGood`, or by a read under way that is no older. Otherwise it is
   * read after this call, so that no caller is refused for what has changed: calls of one moment share a read.
   */
  get(key: string, isGood: (value: Value) => boolean): Promise<Value | undefined>;
  /** Reads it at the same time as everything else of this moment, unless it is held: it will be needed. Never fails. */
  expect(key: string): void;
  /** From now on callers get what is read from now on. Without keys: of all keys. */
  forget(keys?: readonly string[]): void;
}

interface Held<Value> {
  readonly value: Value;
  readonly readAt: number;
}

/** What is being read for one key. */
interface Reading<Value> {
  readonly since: number;
  readonly found: Promise<Value | undefined>;
}

/** A read that is about to be sent, for all who ask in this turn of the event loop. */
interface Batch<Value> {
  readonly keys: Set<string>;
  readonly found: Promise<ReadonlyMap<string, Value>>;
}

/** @param read answers what is there of these keys */
export function createBoundedCache<Value>(
  read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>,
  clock: Clock,
  { lifeMs, entriesMax }: CacheBounds = OF_A_SECOND,
): BoundedCache<Value> {
  /** From this age on it is read again in the background, so that under load no request waits for it. */
  const refreshMs = lifeMs / 2;
  const held = new Map<string, Held<Value>>(); // in the order in which they were read
  const reading = new Map<string, Reading<Value>>();
  let batch: Batch<Value> | undefined;
  /** Of each read under way, what was forgotten since it began: of that its result may be from before a change, and only those who asked get it. */
  const forgottenDuring = new Set<{ readonly keys: Set<string>; all: boolean }>();

  const ageOf = (readAt: number): number => clock.now().getTime() - readAt;
  /** No clock that is set back makes it fresh for longer. */
  const isFresh = (readAt: number): boolean => ageOf(readAt) >= 0 && ageOf(readAt) < lifeMs;

  function gather(): Batch<Value> {
    const keys = new Set<string>();
    const found = new Promise((resolve) => setImmediate(resolve)).then(() => {
      if (batch?.keys === keys) batch = undefined;
      return readAll(keys);
    });
    return { keys, found };
  }

  async function readAll(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, Value>> {
    const readAt = clock.now().getTime();
    const forgotten = { keys: new Set<string>(), all: false };
    forgottenDuring.add(forgotten);
    try {
      const found = await read([...keys]);
      if (forgotten.all || !isFresh(readAt)) return found;
      for (const [key, value] of found) if (!forgotten.keys.has(key)) hold(key, { value, readAt });
      return found;
    } finally {
      forgottenDuring.delete(forgotten);
    }
  }

  function hold(key: string, entry: Held<Value>): void {
    held.delete(key);
    held.set(key, entry);
    const [oldest] = held.keys();
    if (held.size > entriesMax && oldest !== undefined) held.delete(oldest);
  }

  function readSoon(key: string): Promise<Value | undefined> {
    if (batch === undefined || batch.keys.size >= BATCH_MAX) batch = gather();
    const waiting = batch.keys.has(key) ? reading.get(key) : undefined;
    if (waiting !== undefined) return waiting.found;
    batch.keys.add(key);
    const found = batch.found
      .then((all) => all.get(key))
      .finally(() => {
        if (reading.get(key)?.found === found) reading.delete(key);
      });
    reading.set(key, { since: clock.now().getTime(), found });
    return found;
  }

  function remembered(key: string): Value | undefined {
    const entry = held.get(key);
    if (entry === undefined || !isFresh(entry.readAt)) return undefined;
    // A caller who comes once this is too old reads it again, and gets the error.
    if (ageOf(entry.readAt) >= refreshMs && !reading.has(key)) readSoon(key).catch(() => undefined);
    return entry.value;
  }

  /** What was asked before now and is no older than what is held: also what is about to be sent. */
  const freshReading = (key: string): Reading<Value> | undefined => {
    const one = reading.get(key);
    return one !== undefined && isFresh(one.since) ? one : undefined;
  };

  return {
    expect(key) {
      if (remembered(key) === undefined && freshReading(key) === undefined) readSoon(key).catch(() => undefined);
    },
    async get(key, isGood) {
      const before = remembered(key);
      if (before !== undefined && isGood(before)) return before;
      const underWay = batch?.keys.has(key) === true ? undefined : freshReading(key); // sent already
      if (underWay === undefined) return readSoon(key);
      const shared = await underWay.found;
      return shared !== undefined && isGood(shared) && isFresh(underWay.since) ? shared : readSoon(key);
    },
    forget(keys) {
      if (keys === undefined) {
        batch = undefined;
        reading.clear();
        held.clear();
        for (const one of forgottenDuring) one.all = true;
        return;
      }
      for (const key of keys) {
        reading.delete(key);
        held.delete(key);
        for (const one of forgottenDuring) one.keys.add(key);
      }
    },
  };
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A connection that is silent for so long is probed (TCP keep-alive). */
const KEEP_ALIVE_AFTER_MS = 10_000;
/** Between two attempts to connect: the first, doubled after each failure, up to the longest. */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 4_000;
/** A quiet channel and a dead connection look alike: so often PostgreSQL is asked, */
const HEARTBEAT_MS = 5_000;
/** and has so long to answer. */
const HEARTBEAT_MAX_MS = 4_000;

interface Listener {
  /** Called with each notification's payload. */
  readonly onNotification: (payload: string) => void;
  /** Called when listening begins: notifications may have been missed before. */
  readonly onListening: () => void;
  /** Called when the connection breaks or cannot be opened. It is reopened automatically. */
  readonly onError: (error: unknown) => void;
}

/** Listens on a channel of PostgreSQL (LISTEN), over a connection of its own. */
function listenTo(
  databaseUrl: string,
  channel: string,
  { onNotification, onListening, onError }: Listener,
): { close(): Promise<void> } {
  let isClosed = false;
  let retryMs = RETRY_MS;
  let retry: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let current = connect();

  async function connect(): Promise<pg.Client | undefined> {
    const client = new pg.Client({
      connectionString: withSettings(databaseUrl, { default_transaction_read_only: 'on' }),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      query_timeout: HEARTBEAT_MAX_MS,
      application_name: 'paytag-listen',
    });
    let isLost = false;
    const lose = (error: unknown) => {
      if (isLost || isClosed) return;
      isLost = true;
      clearInterval(heartbeat);
      onError(error);
      cut(client);
      retry = setTimeout(() => {
        current = connect();
      }, retryMs).unref();
      retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
    };
    client.on('error', lose);
    client.on('end', () => lose(new Error('the connection ended')));
    client.on('notification', ({ payload = '' }) => onNotification(payload));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      lose(error);
      return undefined;
    }
    retryMs = RETRY_MS;
    heartbeat = setInterval(() => void client.query('select').catch(lose), HEARTBEAT_MS).unref();
    onListening();
    return client;
  }

  return {
    async close() {
      isClosed = true;
      clearTimeout(retry);
      clearInterval(heartbeat);
      const client = await current;
      if (client !== undefined) await endClient(client);
    },
  };
}
