import type { Logger } from 'pino';
import { type BoundedCache, type CacheBounds, createBoundedCache } from './bounded-cache.ts';
import type { Clock } from './clock.ts';
import { listenTo } from './notifications.ts';
import { outageLogger } from './outage-logger.ts';

/** Triggers notify on it: the name of what changed and, where it is not all of it, the keys, separated by blanks. */
const CHANNEL = 'paytag_changes';

/** What this process keeps in memory of the database for a while, told of changes that other processes make. */
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
 * Listens as soon as something is read. While the connection is away nothing is told, and what is held is as old as it may be
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
