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
 * The app, and the worker where its role has one, behind a port of this process, on a database that is migrated. A process of its
 * own takes a second of CPU to start: it is for what is told of starting and ending, signals, METRICS_PORT and the log on standard
 * output, none of which is here.
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
