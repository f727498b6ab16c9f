import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '../../../src/embedded/index.ts';
import { freePort } from '../../../src/embedded/port.ts';
import { openDatabase } from '../../../src/lib/database.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { serverEnv, startServer } from '../../support/process.ts';
import { resolvesPerSecond } from './load.ts';
import { seedTags } from './seed.ts';

const TAGS = 100_000;
const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 3;
/** A limit that is counted and never met. */
const NEVER_MET = '1000000';

const count = Number(process.argv[2] ?? 60_000);
const bare = fileURLToPath(new URL('bare.ts', import.meta.url));

interface Server {
  url: string;
  stop(): Promise<unknown>;
}

async function startBare(way: 'pool' | 'coalesced', databaseUrl: string): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, [bare, way, databaseUrl, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

const startOurs = (databaseUrl: string): Promise<Server> =>
  startServer({
    ...serverEnv(databaseUrl),
    ROLE: 'api',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_RESOLVES_PER_S: NEVER_MET,
  });

const best = (rates: readonly number[]): number => Math.max(...rates);
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(0)} %`.padStart(7);
const line = (name: string, value: number, ratios = ''): void =>
  console.log(`${name.padEnd(34)}${`${Math.round(value)}/s`.padStart(10)}${ratios}`);

const root = await mkdtemp(join(tmpdir(), 'paytag-bench-'));
const cluster = await startEmbedded(root, { shared_buffers: '512MB', max_connections: '100' });
const databaseUrl = cluster.url('postgres');
await migrateDatabase(databaseUrl);
const database = openDatabase(databaseUrl, 2, () => undefined);
const { pool } = database;

/** Each way by turns, so that all see the same machine; the best round of each counts. */
async function measure(tags: number, servers: readonly Server[]): Promise<number[]> {
  const rates = servers.map((): number[] => []);
  for (const { url } of servers) await resolvesPerSecond(url, { count: count / 3, tags }); // warm
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, { url }] of servers.entries()) rates[at]?.push(await resolvesPerSecond(url, { count, tags }));
  }
  return rates.map(best);
}

async function withServers(tags: number, starts: readonly Promise<Server>[]): Promise<number[]> {
  const servers = await Promise.all(starts);
  try {
    return await measure(tags, servers);
  } finally {
    for (const server of servers) await server.stop();
  }
}

try {
  await seedTags(pool, 0, FEW);
  const [few = Number.NaN] = await withServers(FEW, [startOurs(databaseUrl)]);

  await seedTags(pool, FEW, TAGS);
  const ways = [startBare('pool', databaseUrl), startBare('coalesced', databaseUrl), startOurs(databaseUrl)];
  const [pooled = Number.NaN, coalesced = Number.NaN, ours = Number.NaN] = await withServers(TAGS, ways);
  line('bare route, a pool of ten', pooled);
  line('bare route, reads coalesced', coalesced, percent(coalesced, pooled));
  line('ours, the whole public route', ours, `${percent(ours, pooled)}${percent(ours, coalesced)}`);

  await seedTags(pool, TAGS, MANY);
  const [many = Number.NaN] = await withServers(MANY, [startOurs(databaseUrl)]);
  line('ours, among 1,000 tags', few);
  line('ours, among 1,000,000 tags', many, percent(many, few));
} finally {
  await database.close();
  await cluster.stop();
  await rm(root, { recursive: true });
}
