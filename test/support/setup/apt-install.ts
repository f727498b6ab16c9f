import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 180_000;
const BUSY_MS = 1_000;
/** What to do where nothing can be installed. */
const OTHERS = 'npm test needs nothing of the kind, and npm run test:full -- --project guards neither';
const DEBIAN = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

/**
 * The path of a program, which is installed where that can be done without asking: on Debian and its kin, as root.
 *
 * @param program its name on the PATH, which is its package's name too
 * @param advice the advice for someone who must install it
 * @throws Error with the advice, where there is none
 */
export async function ensureInstalled(program: string, advice: string): Promise<string> {
  const found = onPath(program);
  if (found !== undefined) return found;
  if (!isInstallable()) {
    throw new Error(`these tests need ${program}: ${advice}. ${OTHERS}`);
  }
  process.stdout.write(`Installing ${program} (apt-get), which the tests need ...\n`);
  const install = ['install', '--yes', '--no-install-recommends', program];
  try {
    await aptGet(...install).catch(async () => {
      await aptGet('update');
      await aptGet(...install);
    });
  } catch (cause) {
    throw new Error(`these tests need ${program}, and apt-get could not install it: ${advice}. ${OTHERS}`, { cause });
  }
  const installed = onPath(program);
  if (installed === undefined) throw new Error(`apt-get installed ${program}, but it is not on the PATH`);
  return installed;
}

/** Whether packages can be installed without asking. */
export const isInstallable = (): boolean => process.getuid?.() === 0 && onPath('apt-get') !== undefined;

/** Waits its turn: another file may install something at the same time, and apt-get refuses where another runs. */
export async function aptGet(...args: string[]): Promise<void> {
  const giveUpAt = performance.now() + INSTALL_TIMEOUT_MS;
  for (;;) {
    try {
      await run('apt-get', args, { env: DEBIAN, timeout: INSTALL_TIMEOUT_MS });
      return;
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string };
      if (!/could not get lock|unable to (acquire|lock)/i.test(stderr) || performance.now() > giveUpAt) throw error;
      await sleep(BUSY_MS);
    }
  }
}

/** The path of a program on the PATH. */
export function onPath(command: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}
