import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 180_000;
const INSTALL = ['install', '--yes', '--no-install-recommends', 'redis-server'];
const DEBIAN = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

/**
 * The path of redis-server, which is installed where that can be done without asking: on Debian and its kin, as root.
 *
 * @throws Error with what to do, where there is none
 */
export async function ensureRedisServer(): Promise<string> {
  const found = onPath('redis-server');
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || onPath('apt-get') === undefined) {
    throw new Error('the tests need redis-server: install Redis 7 or newer and put redis-server on the PATH');
  }
  process.stdout.write('Installing redis-server (apt-get), which the tests need ...\n');
  try {
    await aptGet(...INSTALL).catch(async () => {
      await aptGet('update');
      await aptGet(...INSTALL);
    });
  } catch (cause) {
    throw new Error('the tests need redis-server, and apt-get could not install it: install Redis 7 or newer', {
      cause,
    });
  }
  const installed = onPath('redis-server');
  if (installed === undefined) throw new Error('apt-get installed redis-server, but it is not on the PATH');
  return installed;
}

const aptGet = (...args: string[]) => run('apt-get', args, { env: DEBIAN, timeout: INSTALL_TIMEOUT_MS });

function onPath(command: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}
