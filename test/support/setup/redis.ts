import type { TestProject } from 'vitest/node';
import { ensureInstalled } from './apt-install.ts';
import { provideOnce } from './provide-once.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the redis-server binary. */
    redisServer: string;
  }
}

/** The path of redis-server. @throws Error with what to do, where there is none and it cannot be installed */
export const ensureRedisServer = (): Promise<string> =>
  ensureInstalled('redis-server', 'install Redis 7 or newer and put redis-server on the PATH');

/** A redis-server for tests to start. */
export default (project: TestProject): Promise<void> => provideOnce(project, 'redisServer', ensureRedisServer);
