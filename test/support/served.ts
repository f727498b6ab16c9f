import { createLog } from '#lib/log.ts';
import { stampInstallation } from '#modules/installation';
import { buildApp, buildOperatorApp } from '../../src/app.ts';
import { openResources } from '../../src/composition.ts';
import { readConfig } from '../../src/config/config.ts';
import { rootKeyIdsOf } from '../../src/providers/kms/open-root-keys.ts';
import { buildHealthApp } from '../../src/routes/open/apps.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { ownPort } from './port.ts';
import type { ServerProcess } from './process.ts';

/** A server that listens in this process. */
export type ServedHere = Pick<ServerProcess, 'url' | 'port' | 'stdout'> & { stop(): Promise<unknown> };

/**
 * What `startServer` starts, on a database that is migrated, in this process: the same parts, behind a port, with the worker where
 * its role has one. A process of its own takes a second of CPU to start and answers its first requests slowly: it is for what is
 * told of processes, signals and the log on standard output.
 */
export async function serveHere(env: Record<string, string>): Promise<ServedHere> {
  const lines: string[] = [];
  const port = await ownPort();
  const config = readConfig({}, { ...env, PORT: String(port) });
  const log = createLog(config.logLevel, { write: (line: string) => void lines.push(line) });
  const resources = await openResources(config, config.databaseUrl ?? '', log);
  await stampInstallation(resources.db, config.environment, rootKeyIdsOf(config.rootKey));
  const worker = config.role === 'api' ? undefined : startWorker({ ...resources, ...resources.background });
  const app = config.role === 'worker' ? buildHealthApp(resources) : await buildApp(resources);
  const listeners = [{ app, port }];
  if (config.operatorPort !== undefined) {
    listeners.unshift({ app: await buildOperatorApp(resources), port: config.operatorPort });
  }
  for (const listener of listeners) await listener.app.listen({ host: config.host, port: listener.port });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get stdout() {
      return lines.join('');
    },
    async stop() {
      await worker?.close();
      await resources.checker.close();
      await Promise.all(listeners.map((listener) => listener.app.close()));
      await resources.close();
    },
  };
}
