import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '#lib/postgres/database.ts';
import { startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { serverEnv, startServer } from '../../support/process.ts';
import { startBaseline } from '../baselines/start-baseline.ts';
import { median } from '../table.ts';
import { openLoad } from './load.ts';
import { seedTags } from './seed-tags.ts';

const FEW = 1_000;
const TAGS = 100_000;
const MANY = 1_000_000;
const SLICES = 101;
const WARM_UP = 30_000;
/** High enough that it is counted but never reached. */
const RATE_LIMIT = '1000000';

/** Look-ups in one slice. */
const count = Number(process.argv[2] ?? 1_000);
const baselineServer = fileURLToPath(new URL('baseline-server.ts', import.meta.url));

interface Server {
  port: number;
  stop(): Promise<unknown>;
}

const startPayTag = (databaseUrl: string): Promise<Server> =>
  startServer({
    ...serverEnv(databaseUrl),
    ROLE: 'api',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_RESOLVES_PER_S: RATE_LIMIT,
  });

const root = await mkdtemp(join(tmpdir(), 'paytag-bench-'));
const cluster = await startEmbedded(root, { shared_buffers: '512MB', max_connections: '200' });
const postgres = openDatabase(cluster.url('postgres'), 1, () => undefined);

/** Makes a database with so many tags. Each number has its own, so that servers on several of them can take turns. */
async function seeded(tags: number): Promise<string> {
  await postgres.pool.query(`create database tags_${tags}`);
  const url = cluster.url(`tags_${tags}`);
  await migrateDatabase(url);
  const database = openDatabase(url, 1, () => undefined);
  await seedTags(database.pool, tags);
  await database.close();
  return url;
}

interface Candidate {
  tags: number;
  start: Promise<Server>;
}

/** Measures all servers by turns in many short slices, so that all see the same machine. Returns the rates of each server, slice by slice. */
async function measure(...candidates: Candidate[]): Promise<number[][]> {
  const servers = await Promise.all(candidates.map(({ start }) => start));
  const loads = servers.map(({ port }, at) => openLoad(`http://127.0.0.1:${port}`, candidates[at]?.tags ?? Number.NaN));
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

/** The median of the ratios of neighbouring slices: what slows the machine for a while slows both of them. */
const percent = (part: readonly number[], whole: readonly number[]): string => {
  const ratio = median(part.map((rate, slice) => rate / (whole[slice] ?? Number.NaN)));
  return `${(100 * ratio).toFixed(0)} %`.padStart(7);
};
const line = (name: string, rates: readonly number[], ratios = ''): void =>
  console.log(`${name.padEnd(34)}${`${Math.round(median(rates))}/s`.padStart(10)}${ratios}`);

async function compareWithBaseline(): Promise<void> {
  const database = await seeded(TAGS);
  const [pooled = [], coalesced = [], payTag = []] = await measure(
    { tags: TAGS, start: startBaseline(baselineServer, 'pool', database) },
    { tags: TAGS, start: startBaseline(baselineServer, 'coalesced', database) },
    { tags: TAGS, start: startPayTag(database) },
  );
  line('baseline, a pool of ten', pooled);
  line('baseline, coalesced reads', coalesced, percent(coalesced, pooled));
  line('PayTag, the public route', payTag, `${percent(payTag, pooled)}${percent(payTag, coalesced)}`);
}

async function compareSizes(): Promise<void> {
  const [small, large] = [await seeded(FEW), await seeded(MANY)];
  const [baselineFew = [], baselineMany = [], payTagFew = [], payTagMany = []] = await measure(
    { tags: FEW, start: startBaseline(baselineServer, 'coalesced', small) },
    { tags: MANY, start: startBaseline(baselineServer, 'coalesced', large) },
    { tags: FEW, start: startPayTag(small) },
    { tags: MANY, start: startPayTag(large) },
  );
  line('baseline, coalesced, 1,000 tags', baselineFew);
  line('baseline, coalesced, 1,000,000', baselineMany, percent(baselineMany, baselineFew));
  line('PayTag, 1,000 tags', payTagFew);
  line('PayTag, 1,000,000 tags', payTagMany, percent(payTagMany, payTagFew));
}

try {
  await compareWithBaseline();
  await compareSizes();
} finally {
  await postgres.close();
  await cluster.stop();
  await rm(root, { recursive: true });
}
