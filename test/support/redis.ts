import { afterAll, beforeAll, inject } from 'vitest';
import { ownPort } from './port.ts';
import { startRedis } from './redis-process.ts';

/** A real Redis of one test file. It keeps nothing on disk: what was in it is gone when it stops. */
export interface TestRedis {
  readonly url: string;
  /** Ends it, and with it all that was in it. */
  stop(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  /** stop and start. */
  restart(): Promise<void>;
}

/** A private Redis for this test file, running from before its first test until after its last. */
export function useRedis(): TestRedis {
  let port = 0;
  let server: Awaited<ReturnType<typeof startRedis>> | undefined;
  const redis: TestRedis = {
    get url() {
      return `redis://127.0.0.1:${port}`;
    },
    async start() {
      server ??= await startRedis(inject('redisServer'), port);
    },
    async stop() {
      await server?.end();
      server = undefined;
    },
    async restart() {
      await redis.stop();
      await redis.start();
    },
  };
  beforeAll(async () => {
    port = await ownPort();
    await redis.start();
  });
  afterAll(() => redis.stop());
  return redis;
}
