import { createLog } from '#lib/log.ts';
import { assertServerRole, stampInstallation } from '#modules/installation';
import { buildApp } from './app.ts';
import { openResources } from './composition.ts';
import { loadConfig } from './config/load-config.ts';
import { greeting } from './demo/greeting.ts';
import { loadDemo } from './demo/load-demo.ts';
import { bootDatabase } from './embedded/boot-database.ts';
import { prepareDatabase } from './prepare-database.ts';
import { buildHealthApp, buildMetricsApp } from './routes/open/apps.ts';
import { startFailure } from './start-failure.ts';
import { startWorker } from './worker/start-worker.ts';

/** After this a shutdown that hangs is given up. */
const SHUTDOWN_MAX_MS = 30_000;

async function main(): Promise<void> {
  const config = await loadConfig();
  const log = createLog(config.logLevel);
  const database = await bootDatabase(config);
  const serves = config.role !== 'worker';
  const works = config.role !== 'api';

  await prepareDatabase(database, config);
  const resources = openResources(config, database.url, log);
  await assertServerRole(resources.db, config.environment, log);
  await stampInstallation(resources.db, config.environment, resources.keyring);
  const worker = works ? startWorker(resources) : undefined;
  const app = serves ? await buildApp(resources) : buildHealthApp(resources);

  const metricsApp = config.metricsPort === undefined ? undefined : buildMetricsApp(resources);

  let closing: Promise<void> | undefined;
  const close = async (signal: string): Promise<void> => {
    log.info({ signal }, 'closing: requests and jobs under way are finished first');
    setTimeout(() => process.exit(1), SHUTDOWN_MAX_MS).unref();
    await resources.checker.close();
    await Promise.all([app.close(), metricsApp?.close()]);
    await worker?.close();
    await resources.close();
    await database.stop();
    process.exit(0);
  };
  database.onExit(() => {
    if (closing !== undefined) return;
    log.fatal('the embedded database ended by itself: start again, and what was committed is there');
    process.exit(1);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void (closing ??= close(signal)));

  if (config.metricsPort !== undefined) await metricsApp?.listen({ host: config.host, port: config.metricsPort });
  await app.listen({ host: config.host, port: config.port });
  if (config.embedded && serves) {
    console.log(greeting(resources.publicUrl, await loadDemo(resources), resources.clock.now()));
  }
}

main().catch((error: unknown) => {
  console.error(startFailure(error));
  process.exit(1);
});
