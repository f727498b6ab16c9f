import { createHash, randomInt } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';

const CONNECTIONS = 64;

const handleOf = (n: number): string => `u${createHash('md5').update(String(n)).digest('hex').slice(0, 12)}`;

/** Clients of one server, with connections that stay open. */
export interface Load {
  /** Resolves random tags, `count` in all over 64 connections, and returns how many in a second. */
  resolvesPerSecond(count: number): Promise<number>;
  close(): Promise<void>;
}

/** Opens the connections to a server whose database has tags number 0 to `tags` - 1. */
export function openLoad(origin: string, tags: number): Load {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  return {
    async resolvesPerSecond(count) {
      const paths = Array.from({ length: count }, () => `/api/v1/tags/${handleOf(randomInt(tags))}`);
      const started = performance.now();
      await Promise.all(Array.from({ length: CONNECTIONS }, () => requestAll(pool, paths)));
      return count / ((performance.now() - started) / 1000);
    },
    close: () => pool.close(),
  };
}

/** Requests one path after another until none is left. */
function requestAll(pool: Pool, paths: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (): void => {
      const path = paths.pop();
      if (path === undefined) resolve();
      else pool.dispatch({ path, method: 'GET' }, handler);
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_, statusCode) {
        if (statusCode !== 200) reject(new Error(`a resolve answered ${statusCode}`));
      },
      onResponseData() {},
      onResponseEnd: next,
      onResponseError: (_, error) => reject(error),
    };
    next();
  });
}
