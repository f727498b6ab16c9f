import { createLog } from '#lib/log.ts';
import { stampInstallation } from '#modules/keys';
import { buildApp, buildOperatorApp } from '../../src/app.ts';
import { openResources } from '../../src/composition.ts';
import { readConfig } from '../../src/config/config.ts';
import { rootKeyIdsOf } from '../../src/providers/kms/open-root-keys.ts';
import { buildHealthApp } from '../../src/routes/open/plugin.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import type { TestApp } from './app.ts';
import { eventually } from './eventually.ts';
import { ownPort, type ServerProcess, startServer } from './process.ts';
import { startReceiver } from './receiver.ts';

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

/** As `npm start` brings it up: the embedded sandbox with its files in `dataDir`, once it has greeted. */
export async function startSandbox(dataDir: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServer({ ...env, DATA_DIR: dataDir });
  await untilGreeted(server);
  return server;
}

/** Waits until the embedded sandbox has said what to try. */
export async function untilGreeted(server: ServerProcess): Promise<void> {
  await eventually(() => {
    if (!server.stdout.includes('npm run tour')) throw new Error(`it has not greeted:\n${server.stdout}`);
  });
}

/** Longer than what was read for the metrics stays good. */
const A_WHILE_MS = 30_000;

/** The metrics as they are now: a while later, because they are not computed anew for everybody who asks. */
export async function scrape(server: TestApp): Promise<string> {
  server.clock.advance(A_WHILE_MS);
  return (await server.call('GET', '/metrics')).body;
}

/** A span as a collector has it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
type OtlpSpan = Omit<CollectedSpan, 'attributes'> & { readonly attributes: readonly OtlpAttribute[] };
interface Otlp {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

const attributesOf = (given: readonly OtlpAttribute[]): Record<string, unknown> =>
  Object.fromEntries(given.map(({ key, value }) => [key, Object.values(value)[0]]));

export type Collector = Awaited<ReturnType<typeof startCollector>>;

/** What takes traces by OTLP over HTTP, as JSON. */
export async function startCollector() {
  const receiver = await startReceiver();
  const posted = (): Otlp[] =>
    receiver.requests
      .filter(({ path }) => path === '/v1/traces')
      .map(({ body }) => JSON.parse(body.toString('utf8')) as Otlp);
  return {
    /** Its origin: for OTEL_EXPORTER_OTLP_ENDPOINT. */
    url: new URL(receiver.url).origin,
    /** The requests as they came. */
    get received(): string {
      return receiver.requests.map(({ headers, body }) => JSON.stringify(headers) + body.toString('utf8')).join('\n');
    },
    get spans(): CollectedSpan[] {
      const spans = posted().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
      );
      return spans.map(({ attributes, ...span }) => ({ ...span, attributes: attributesOf(attributes) }));
    },
    /** What the processes say of themselves. */
    get resources(): Record<string, unknown>[] {
      return posted().flatMap(({ resourceSpans }) =>
        resourceSpans.map(({ resource }) => attributesOf(resource.attributes)),
      );
    },
    close: () => receiver.close(),
  };
}
