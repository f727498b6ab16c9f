import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { quantile } from '../compare.ts';
import { wire } from '../load/load.ts';
import { UNIQUE } from '../load/unique.ts';
import { openWorld, startPostgres, type World } from '../world/world.ts';
import type { OpenLoadOrder, OpenLoadReport } from './open-load-process.ts';

const run = promisify(execFile);

/** A process with all that it has started, and so on. */
async function familyOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const families = await Promise.all(children.trim().split(' ').filter(Boolean).map(Number).map(familyOf));
  return [pid, ...families.flat()];
}

/**
 * Has this process and those that make the load run on the second processor, and everything else that it has started on the first:
 * what is late then, the server has made late. Linux only.
 */
export async function keepApart(): Promise<void> {
  for (const pid of await familyOf(process.pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const isLoad = pid === process.pid || command.includes('/test/bench/');
    await run('taskset', ['-acp', isLoad ? '1' : '0', String(pid)]);
  }
}

/** What the guide recommends in front of a server (src/docs/incidents.md), but for TLS. */
const configFor = (port: number, serverPort: number) => `
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout queue 200ms
  option abortonclose
  http-reuse always
frontend in
  bind 127.0.0.1:${port}
  default_backend paytag
backend paytag
  server one 127.0.0.1:${serverPort} maxconn 300
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await once(server.close(), 'close');
  return port;
}

/** Starts HAProxy (Debian: haproxy), which keeps its connections to the server alive. */
export async function startHaproxy(serverPort: number): Promise<{ port: number; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'paytag-haproxy-'));
  const port = await freePort();
  await writeFile(join(folder, 'haproxy.cfg'), configFor(port, serverPort));
  const child = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await Promise.race([
    once(child, 'spawn'),
    once(child, 'exit').then(() => Promise.reject(new Error('HAProxy did not start'))),
  ]);
  return {
    port,
    async stop() {
      child.kill();
      await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    times: { type: 'string', default: '10' },
    apart: { type: 'boolean', default: false },
  },
});
/** How long the flood lasts, and how long all that is measured beside it. */
const floodMs = 1000 * Number(values.seconds);
const ms = 5000;
const SLICE_MS = 250;
const PATIENCE_MS = 1000;
const CONNECTIONS_MAX = 2000;
const CONNECTED_AFTER_MS = 1000;
const HEALTH_PER_S = 20;
const PROGRAM = fileURLToPath(new URL('open-load-process.ts', import.meta.url));

const startOpenLoad = () =>
  fork(PROGRAM, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
const flooding = startOpenLoad();
const steady = startOpenLoad();
async function atRate(
  order: Omit<OpenLoadOrder, 'patienceMs' | 'connectionsMax'>,
  child = flooding,
): Promise<OpenLoadReport> {
  const reported = once(child, 'message');
  child.send({ ...order, patienceMs: PATIENCE_MS, connectionsMax: CONNECTIONS_MAX });
  const [report] = await reported;
  return report;
}

const credits = ({ partners }: World): string[] =>
  partners.flatMap(({ headers, wallets }) =>
    wallets.map(({ reference }) =>
      wire('POST', `/v2/partner/wallet/${reference}/credit`, headers, { amount: 0.01, reference: UNIQUE }),
    ),
  );
/** Credentials of nobody, each another one's. */
const strangers = (): string[] => [
  wire('GET', '/v2/partner/float', { 'x-client-id': `nobody-${UNIQUE}`, 'x-api-key': 'sk_sandbox_nobody' }),
];
const reads = ({ partners }: World): string[] =>
  partners.flatMap(({ headers, wallets }) =>
    wallets.map(({ reference }) => wire('GET', `/v2/partner/wallet/${reference}`, headers)),
  );

/** Milliseconds after the start until the first second in which the share of answers came that was asked for. */
function fullServiceAfterMs({ acceptedAtMs, seconds }: OpenLoadReport, rate: number): number {
  const answered = Array.from({ length: Math.floor((1000 * seconds) / SLICE_MS) }, () => 0);
  for (const at of acceptedAtMs) {
    const slice = Math.floor(at / SLICE_MS);
    if (slice < answered.length) answered[slice] = (answered[slice] ?? 0) + 1;
  }
  const inSecondFrom = (slice: number) =>
    answered.slice(slice, slice + 1000 / SLICE_MS).reduce((sum, count) => sum + count, 0);
  const from = answered.findIndex((_, slice) => inSecondFrom(slice) >= 0.8 * rate);
  return from < 0 ? Number.POSITIVE_INFINITY : from * SLICE_MS;
}

const shown = (value: number) => value.toFixed(1).padStart(9);
function printRow(what: string, report: OpenLoadReport, more = ''): void {
  const { sent, seconds, acceptedMs, refusedMs, hungUp, others } = report;
  const columns = [sent / seconds, acceptedMs.length / seconds, refusedMs.length / seconds, hungUp / seconds];
  const times = [quantile([...acceptedMs], 0.5), quantile([...acceptedMs], 0.99), quantile([...refusedMs], 0.99)];
  console.log(what.padEnd(34), ...columns.map((rate) => rate.toFixed(0).padStart(9)), ...times.map(shown), more);
  if (Object.keys(others).length > 0) console.log('  other answers:', others);
}

/** What becomes of one kind of request with little load, far too much, and little again. */
async function flood(world: World, port: number, name: string, requests: readonly string[]): Promise<void> {
  const closed = { port, connections: 64, ms: 3000, requests };
  await world.load.run(closed);
  const { count, seconds } = await world.load.run(closed);
  const capacity = count / seconds;
  console.log(`${name}: 64 connections make ${capacity.toFixed(0)} a second`);
  const idle = await atRate({ port, rate: capacity / 10, ms, requests });
  printRow(`${name}, a tenth of that`, idle);
  printRow(`${name}, half of that`, await atRate({ port, rate: capacity / 2, ms, requests }));
  const rssBefore = await world.residentMb();
  const [flooded, health] = await Promise.all([
    atRate({ port, rate: capacity * Number(values.times), ms: floodMs, requests }),
    atRate(
      { port: world.server.port, rate: HEALTH_PER_S, ms: floodMs, requests: [wire('GET', '/health/live', {})] },
      steady,
    ),
  ]);
  const rssFlooded = await world.residentMb();
  const idleP99 = quantile([...idle.acceptedMs], 0.99);
  const share = flooded.acceptedMs.length / flooded.seconds / capacity;
  const connected = flooded.acceptedMs.filter((_, index) => (flooded.acceptedAtMs[index] ?? 0) >= CONNECTED_AFTER_MS);
  const late = [flooded.acceptedMs, connected].map((times) => quantile([...times], 0.99));
  const [whole = 0, later = 0] = late.map((p99) => p99 / idleP99);
  printRow(`${name}, ${values.times} times`, flooded, `${(100 * share).toFixed(0)} % of what it can`);
  console.log(
    `  p99 beside idle: ${whole.toFixed(1)} x; once all callers are connected ${late[1]?.toFixed(1)} ms, ${later.toFixed(1)} x`,
  );
  printRow('  GET /health/live meanwhile', health);
  const after = await atRate({ port, rate: capacity / 2, ms, requests });
  printRow(`${name}, half of that, after`, after, `full service after ${fullServiceAfterMs(after, capacity / 2)} ms`);
  const rss = [rssBefore, rssFlooded, await world.residentMb()].map((mb) => mb.toFixed(0));
  console.log(`  RSS before, at the end of it and after: ${rss.join(', ')} MB`);
}

/** What becomes of those who are known while very many are not. */
async function floodOfStrangers(world: World, port: number): Promise<void> {
  const requests = credits(world);
  const { count, seconds } = await world.load.run({ port, connections: 64, ms: 3000, requests });
  const rate = count / seconds;
  printRow('credits, a tenth', await atRate({ port, rate: rate / 10, ms, requests }));
  const [beside, wrong] = await Promise.all([
    atRate({ port, rate: rate / 10, ms: 2 * ms, requests }, steady),
    atRate({ port, rate: rate * Number(values.times), ms: 2 * ms, requests: strangers() }),
  ]);
  printRow('wrong credentials', wrong);
  printRow('credits, a tenth, beside them', beside);
}

const postgres = await startPostgres();
try {
  const world = await openWorld(postgres, 'overload');
  const haproxy = await startHaproxy(world.server.port);
  if (values.apart) await keepApart();
  console.log(''.padEnd(34), '   sent/s accepted/s refused/s hung up/s   p50 ms    p99 ms  503 p99');
  for (const [name, requests] of Object.entries({ 'POST credit': credits(world), 'GET wallet': reads(world) })) {
    if (words.length === 0 || words.some((word) => name.includes(word)))
      await flood(world, haproxy.port, name, requests);
  }
  if (words.length === 0 || words.includes('strangers')) await floodOfStrangers(world, haproxy.port);
  await haproxy.stop();
  await world.close();
} finally {
  for (const child of [flooding, steady]) child.disconnect();
  await postgres.stop();
}
