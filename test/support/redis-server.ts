import { ensureInstalled } from './apt-install.ts';

/** The path of redis-server. @throws Error with what to do, where there is none and it cannot be installed */
export const ensureRedisServer = (): Promise<string> =>
  ensureInstalled('redis-server', 'install Redis 7 or newer and put redis-server on the PATH');
