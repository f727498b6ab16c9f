import { resolve } from 'node:path';
import { CannotStart } from '#lib/domain-error.ts';
import type { Config } from '../config/config.ts';

/** The address of a server, and of its operator API: the same unless OPERATOR_PORT is set. */
export interface ServerAddress {
  url: string;
  operatorUrl: string;
}

/**
 * The address of the server on this machine: the embedded sandbox records it, whatever its port; for any other PORT and OPERATOR_PORT
 * are used.
 *
 * @throws CannotStart when none runs on the embedded data
 */
export async function serverOf({
  embedded,
  dataDir,
  port,
  operatorPort = port,
}: Pick<Config, 'embedded' | 'dataDir' | 'port' | 'operatorPort'>): Promise<ServerAddress> {
  if (!embedded) return { url: `http://127.0.0.1:${port}`, operatorUrl: `http://127.0.0.1:${operatorPort}` };
  const { runningServer } = await import('../embedded/server-file.ts');
  const running = await runningServer(dataDir);
  if (running !== undefined) return { url: running.url, operatorUrl: running.operatorUrl ?? running.url };
  throw new CannotStart(
    `no server runs on the data in ${resolve(dataDir)}: run "npm start" in another terminal first, or give the DATA_DIR of the one that runs`,
  );
}
