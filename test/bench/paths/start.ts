import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../src/embedded/port.ts';
import { AS_STARTED, COMPILE_CACHE, serverEnv } from '../../support/process.ts';
import { wire } from '../load/load.ts';
import { UNIQUE } from '../load/unique.ts';
import { median, type Row } from '../table.ts';
import { startApi, type World } from '../world/world.ts';

const ROUNDS = 7;
const CONNECTIONS = 64;
const START = 'warm start of the api to its first 200';
const MEMORY = 'memory of the api after';

/** How long a server takes to answer, and how much memory it takes; and how much more it takes after many requests. */
export async function* start(world: World, seconds: number, isWanted: (what: string) => boolean): AsyncGenerator<Row> {
  if (isWanted(START)) yield await measureStart(world);
  if (isWanted(MEMORY)) yield await measureMemory(world, seconds);
}

async function measureStart({ databaseUrl, residentMb }: World): Promise<Row> {
  const env = { ...serverEnv(databaseUrl), ...AS_STARTED.env, ROLE: 'api', LOG_LEVEL: 'warn' };
  const starting = (...program: string[]) => startOnce(program, env, residentMb);
  const [ours, bare] = [
    () => starting(...AS_STARTED.flags, '--enable-source-maps', 'dist/server.js'),
    () => starting('test/bench/baselines/bare-server.js'),
  ];
  await buildAsTheImage(env);
  await ours(); // leaves what was compiled for the others
  await bare();
  const measured: { ours: Started; bare: Started }[] = [];
  while (measured.length < ROUNDS) measured.push({ ours: await ours(), bare: await bare() });
  return {
    what: START,
    p50Ms: median(measured.map((round) => round.ours.ms)),
    ratio: median(measured.map((round) => round.ours.ms / round.bare.ms)),
    rssMb: median(measured.map((round) => round.ours.rssMb)),
    target: { atMost: 4, p50MsMax: 600, rssMbMax: 130 },
  };
}

/** What the image's build does. */
async function buildAsTheImage(env: Record<string, string>): Promise<void> {
  for (const program of ['src/build.ts', 'dist/compile.js']) {
    const child = spawn(process.execPath, [program], { env: { ...env, NODE_COMPILE_CACHE: COMPILE_CACHE } });
    await once(child, 'exit');
  }
}

interface Started {
  readonly ms: number;
  readonly rssMb: number;
}

/** A server connects to the queue after it listens: its memory is read after that. */
const SETTLED_MS = 1_000;
const BETWEEN_TRIES_MS = 2;

async function startOnce(
  program: readonly string[],
  env: Record<string, string>,
  residentMb: World['residentMb'],
): Promise<Started> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, program, {
    env: { ...env, PORT: String(port), NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  while ((await statusOf(`http://127.0.0.1:${port}/health/ready`)) !== 200) await sleep(BETWEEN_TRIES_MS);
  const ms = performance.now() - startedAt;
  await sleep(SETTLED_MS);
  const rssMb = await residentMb(child.pid);
  child.kill();
  await ended;
  return { ms, rssMb };
}

const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    const request = get(url, { agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
    request.on('error', () => resolve(undefined));
  });

/** A server of its own, so that what others have measured before has left nothing in it. */
async function measureMemory({ databaseUrl, partners, load, residentMb }: World, seconds: number): Promise<Row> {
  const [{ headers, wallets }] = partners;
  const requests = wallets.flatMap(({ reference }) => {
    const path = `/v2/partner/wallet/${reference}`;
    const credit = { amount: 0.01, reference: UNIQUE };
    return [wire('GET', path, headers), wire('POST', `${path}/credit`, headers, credit)];
  });
  const server = await startApi(databaseUrl, AS_STARTED);
  try {
    await sleep(SETTLED_MS);
    const before = await residentMb(server.child.pid);
    const { count } = await load.run({ connections: CONNECTIONS, requests, port: server.port, ms: 1000 * seconds });
    const after = await residentMb(server.child.pid);
    const target = { atMost: 1.3 };
    return { what: `${MEMORY} ${count} requests`, ratio: after / before, rssMb: after, target };
  } finally {
    await server.stop();
  }
}
