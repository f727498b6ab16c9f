import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '#lib/database.ts';
import { freePort } from '../../../src/embedded/port.ts';
import { startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { serverEnv, startServer } from '../../support/process.ts';
import { median } from '../measure.ts';
import { openLoad } from './load.ts';
import { seedTags } from './seed.ts';

const FEW = 1_000;
const TAGS = 100_000;
const MANY = 1_000_000;
const SLICES = 101;
const WARM_UP = 30_000;
/** A limit that is counted and never met. */
const NEVER_MET = '1000000';

/** Look-ups in one slice. */
const count = Number(process.argv[2] ?? 1_000);
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

const root = await mkdtemp(join(tmpdir(), 'paytag-bench-'));
const cluster = await startEmbedded(root, { shared_buffers: '512MB', max_connections: '200' });
const postgres = openDatabase(cluster.url('postgres'), 1, () => undefined);

/** A database of its own for each number of tags, so that servers on several of them can be measured by turns. */
async function seeded(tags: number): Promise<string> {
  await postgres.pool.query(`create database tags_${tags}`);
  const url = cluster.url(`tags_${tags}`);
  await migrateDatabase(url);
  const database = openDatabase(url, 1, () => undefined);
  await seedTags(database.pool, tags);
  await database.close();
  return url;
}

interface Contender {
  tags: number;
  start: Promise<Server>;
}

/** Many short slices of each server by turns, so that all see the same machine: the rates of each, slice by slice. */
async function measure(...contenders: Contender[]): Promise<number[][]> {
  const servers = await Promise.all(contenders.map(({ start }) => start));
  const loads = servers.map(({ url }, at) => openLoad(url, contenders[at]?.tags ?? Number.NaN));
  const rates = servers.map((): number[] => []);
  try {
    for (const load of loads) await load.resolvesPerSecond(WARM_UP);
    for (let slice = 0; slice < SLICES; slice++) {
      for (const [at, load] of loads.entries()) rates[at]?.push(await load.resolvesPerSecond(count));
    }
    return rates;
  } finally {
    for (const load of loads) await load.close();
    for (const server of servers) await server.stop();
  }
}

/** The median of the ratios of slices that followed each other: what slows the machine for a while slows both. */
const percent = (part: readonly number[], whole: readonly number[]): string => {
  const ratio = median(part.map((rate, slice) => rate / (whole[slice] ?? Number.NaN)));
  return `${(100 * ratio).toFixed(0)} %`.padStart(7);
};
const line = (name: string, rates: readonly number[], ratios = ''): void =>
  console.log(`${name.padEnd(34)}${`${Math.round(median(rates))}/s`.padStart(10)}${ratios}`);

async function compareWays(): Promise<void> {
  const database = await seeded(TAGS);
  const [pooled = [], coalesced = [], ours = []] = await measure(
    { tags: TAGS, start: startBare('pool', database) },
    { tags: TAGS, start: startBare('coalesced', database) },
    { tags: TAGS, start: startOurs(database) },
  );
  line('bare route, a pool of ten', pooled);
  line('bare route, reads coalesced', coalesced, percent(coalesced, pooled));
  line('ours, the whole public route', ours, `${percent(ours, pooled)}${percent(ours, coalesced)}`);
}

async function compareSizes(): Promise<void> {
  const [small, large] = [await seeded(FEW), await seeded(MANY)];
  const [bareFew = [], bareMany = [], oursFew = [], oursMany = []] = await measure(
    { tags: FEW, start: startBare('coalesced', small) },
    { tags: MANY, start: startBare('coalesced', large) },
    { tags: FEW, start: startOurs(small) },
    { tags: MANY, start: startOurs(large) },
  );
  line('coalesced, among 1,000 tags', bareFew);
  line('coalesced, among 1,000,000 tags', bareMany, percent(bareMany, bareFew));
  line('ours, among 1,000 tags', oursFew);
  line('ours, among 1,000,000 tags', oursMany, percent(oursMany, oursFew));
}

try {
  await compareWays();
  await compareSizes();
} finally {
  await postgres.close();
  await cluster.stop();
  await rm(root, { recursive: true });
}
