import type { Logger } from 'pino';
import { closeServers, letOthersTakeOver } from '#http/drain.ts';
import type { ZodApp } from '#http/zod-app.ts';
import { projectFile } from '#lib/files.ts';
import { createLog } from '#lib/log.ts';
import { collectGarbage, disablePretenuring, limitHeapGrowth } from '#lib/runtime.ts';
import { endWhenStalled } from '#lib/stall-watch.js';
import { assertServerRole, stampInstallation } from '#modules/keys';
import { openResources, type Resources } from './composition.ts';
import type { Config } from './config/config.ts';
import { ConfigError, ignoredVariables } from './config/environment.ts';
import { loadConfig } from './config/load-config.ts';
import { simulatedOf } from './config/provider-settings.ts';
import { placeOf } from './config/rules.ts';
import { greeting } from './demo/greeting.ts';
import { loadDemo } from './demo/load-demo.ts';
import { type BootedDatabase, bootDatabase } from './embedded/boot-database.ts';
import { announceServer } from './embedded/server-file.ts';
import { type Ending, endOnSignals } from './end-on-signals.ts';
import { prepareDatabase } from './prepare-database.ts';
import { rootKeyIdsOf } from './providers/kms/open-root-keys.ts';
import { buildHealthApp, buildMetricsApp } from './routes/open/plugin.ts';
import { startFailure } from './start-failure.ts';
import { version } from './version.ts';

/** The delay of background preparations after the server listens, so that its first requests come first. */
const SETTLE_MS = 300;

type Surfaces = typeof import('./app.ts');

async function main(ending: Ending): Promise<void> {
  disablePretenuring();
  const config = await loadConfig();
  const log = createLog(config.logLevel, undefined, { hasWords: config.environment === 'sandbox' });
  ending.closes({ log, close: async () => {} });
  logStart(config, log);
  const tracing =
    config.tracing &&
    (await import('./tracing/open-tracing.ts')).openTracing(config.tracing, {
      ...config,
      version,
      log,
    });
  const serves = config.role !== 'worker';
  const works = config.role !== 'api';

  const [database, surfaces] = await Promise.all([
    openDatabase(config, { log, ending }),
    serves ? import('./app.ts') : undefined,
  ]);
  const resources = await openResources(config, database.url, log);
  await assertServerRole(resources.db, config.environment, log);
  await stampInstallation(resources.db, config.environment, rootKeyIdsOf(config.rootKey));
  const servers = await buildServers(resources, surfaces);
  // Only now: loading the modules blocks the event loop for seconds on a busy machine.
  endWhenStalled({
    maxS: config.eventLoopStallMaxS,
    isSilent: config.logLevel === 'silent',
    level: config.environment === 'sandbox' ? 'fatal' : 60,
    file: projectFile('src/lib/stall-watch.js'),
  });
  const working = works ? await import('./worker/start-worker.ts') : undefined;
  const worker = working?.startWorker({ ...resources, ...resources.background });

  const delayMs = serves ? resources.shutdownDelayMs : 0;
  let withdraw = async (): Promise<void> => {};
  const stopServing = async (): Promise<void> => {
    await letOthersTakeOver(resources.drain, delayMs);
    await withdraw();
    await resources.checker.close();
    await closeServers(servers.map(({ app }) => app));
  };
  const close = async (): Promise<void> => {
    await Promise.all([worker?.close(), stopServing()]);
    await resources.close();
    await tracing?.close();
    await database.stop();
  };
  ending.closes({ log, close, delayMs });
  database.onExit(() => {
    if (ending.hasBegun) return;
    log.fatal({ event: 'database.exited' }, 'the embedded database exited: start again, what was committed is stored');
    process.exit(1);
  });

  // Before it listens: a ready server has its demo credentials.
  const demo = config.embedded && serves ? await loadDemo(resources) : undefined;
  const ports: Partial<Record<Listener['variable'], number>> = {};
  for (const server of servers) ports[server.variable] = await listen(server, config.host);
  const { PORT: port = config.port, OPERATOR_PORT: operatorPort } = ports;
  if (config.embedded) withdraw = await announceServer(config.dataDir, config.host, { port, operatorPort });
  setTimeout(() => void settle(resources), SETTLE_MS).unref();
  if (demo !== undefined) {
    const operatorUrl = operatorPort === undefined ? resources.publicUrl : `http://localhost:${operatorPort}`;
    const started = { ...resources, operatorUrl, simulated: simulatedOf(config.providers) };
    console.log(greeting(started, demo, resources.clock.now()));
  }
}

/** The database, ready for this process. A signal in the meantime stops an embedded one. */
async function openDatabase(config: Config, { log, ending }: { log: Logger; ending: Ending }): Promise<BootedDatabase> {
  const database = await bootDatabase(config);
  ending.closes({ log, close: () => database.stop() });
  await prepareDatabase(database, config, { say: (words) => log.info({ event: 'database.prepared' }, words) });
  return database;
}

/** Makes later work faster. Blocks the event loop, so it runs after the first answers. */
async function settle(resources: Resources): Promise<void> {
  resources.connectQueue();
  limitHeapGrowth();
  await collectGarbage();
}

interface Listener {
  readonly app: ZodApp;
  /** The variable of the port. */
  readonly variable: 'PORT' | 'OPERATOR_PORT' | 'METRICS_PORT';
  readonly port: number;
}

/**
 * The listeners of this process, the main port last, because it means that the process is ready.
 *
 * @param surfaces undefined in a process that serves none
 */
async function buildServers(resources: Resources, surfaces: Surfaces | undefined): Promise<Listener[]> {
  const { port, operatorPort, metricsPort } = resources;
  const servers: Listener[] = [];
  if (metricsPort !== undefined) {
    servers.push({ app: buildMetricsApp(resources), variable: 'METRICS_PORT', port: metricsPort });
  }
  if (surfaces === undefined) return [...servers, { app: buildHealthApp(resources), variable: 'PORT', port }];
  if (operatorPort !== undefined) {
    const app = await surfaces.buildOperatorApp(resources);
    servers.push({ app, variable: 'OPERATOR_PORT', port: operatorPort });
  }
  return [...servers, { app: await surfaces.buildApp(resources), variable: 'PORT', port }];
}

/** For a name with two addresses Fastify would open a second server, without our routes. */
const addressOf = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host);

/** Resolves to the port; PORT=0 lets the system choose. @throws ConfigError when another process uses the port */
async function listen({ app, variable, port }: Listener, host: string): Promise<number> {
  try {
    const url = new URL(await app.listen({ host: addressOf(host), port }));
    return Number(url.port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    throw new ConfigError(`${variable} is not valid: ${message}; set it to a free one`, { cause: error });
  }
}

/** The first line of the log: which installation this is, which database it writes to, and what is simulated. */
function logStart({ environment, role, databaseUrl, dataDir, providers }: Config, log: Logger): void {
  const database = databaseUrl === undefined ? `embedded in ${dataDir}` : placeOf(databaseUrl);
  log.info(
    { event: 'server.starting', environment, version, role, database, simulated: simulatedOf(providers) },
    'starting',
  );
  const ignored = ignoredVariables();
  if (ignored.length > 0)
    log.warn(
      { event: 'config.ignored', variables: ignored },
      'these variables of OpenTelemetry have no effect: observe.md names those that have',
    );
}

if (import.meta.main) {
  const ending = endOnSignals();
  main(ending).catch((error: unknown) => {
    if (ending.hasBegun) return; // the shutdown closes what was still being opened
    console.error(startFailure(error));
    process.exit(1);
  });
}
