import { resolve } from 'node:path';
import { CannotStart } from '#lib/cannot-start.ts';
import type { Config } from '../config/config.ts';

/**
 * Where the server on this machine answers: the one that runs on the embedded data says so itself, whatever its port; any
 * other by PORT.
 *
 * @throws CannotStart when none runs on the embedded data
 */
export async function serverOf({
  embedded,
  dataDir,
  port,
}: Pick<Config, 'embedded' | 'dataDir' | 'port'>): Promise<string> {
  if (!embedded) return `http://127.0.0.1:${port}`;
  const { runningServer } = await import('../embedded/server-file.ts');
  const running = await runningServer(dataDir);
  if (running !== undefined) return running.url;
  throw new CannotStart(
    `no server runs on the data in ${resolve(dataDir)}: run "npm start" in another terminal first, or give the DATA_DIR of the one that runs`,
  );
}
