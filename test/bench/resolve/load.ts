import { createHash, randomInt } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';

const CONNECTIONS = 64;

const handleOf = (n: number): string => `u${createHash('md5').update(String(n)).digest('hex').slice(0, 12)}`;

/** Resolves random ones of the first `tags` tags, `count` times by 64 connections; answers how many a second. */
export async function resolvesPerSecond(
  origin: string,
  { count, tags }: { count: number; tags: number },
): Promise<number> {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  const paths = Array.from({ length: count }, () => `/api/v1/tags/${handleOf(randomInt(tags))}`);
  try {
    const started = performance.now();
    await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(pool, paths)));
    return count / ((performance.now() - started) / 1000);
  } finally {
    await pool.close();
  }
}

/** Asks for what is left until nothing is, one at a time. */
function ask(pool: Pool, paths: string[]): Promise<void> {
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
