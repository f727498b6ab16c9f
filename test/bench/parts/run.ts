import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PoolClient } from 'pg';
import { type DatabaseHandle, openDatabase } from '#lib/database.ts';
import { type Embedded, startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { newPoster, postingJson } from '../../support/post.ts';
import { type SeededAccounts, seedAccounts } from '../ledger/seed-accounts.ts';
import { median, throughput } from '../measure.ts';

const TABLES = ['ledger.entry', 'outbox.event', 'webhooks.delivery', 'webhooks.attempt'];
const SIZES = [1, 4, 16, 64];
const SLICE = 256;
const CALLERS = 64;
const POOL = 8;
const ACCOUNTS = 1_000;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '40' }, 'no-url': { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);
/** Whether the partner has not said yet where its events go: its deliveries are held. */
const hasNoUrl = values['no-url'];

/** A database to post in. */
interface Kind {
  readonly name: string;
  readonly handle: DatabaseHandle;
  readonly client: PoolClient;
  readonly pid: number;
  readonly accounts: SeededAccounts;
}

/** Time on a processor so far. */
const cpuMicroseconds = async (pid: number): Promise<number> =>
  Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1000;

async function openKind(server: Embedded, name: string, isWhole: boolean): Promise<Kind> {
  const admin = openDatabase(server.url('postgres'), 1, console.error);
  await admin.pool.query(`create database ${name}`);
  await admin.close();
  const url = server.url(name);
  await migrateDatabase(url);
  const handle = openDatabase(url, POOL, console.error);
  const client = await handle.pool.connect();
  if (isWhole) {
    await client.query(await readFile(new URL('whole-tables.sql', import.meta.url), 'utf8'));
    for (const table of TABLES) await client.query(`call pg_temp.make_whole('${table}')`);
  }
  const { rows } = await client.query<{ pid: number; parts: number }>(
    `select pg_backend_pid() as pid, count(*)::int as parts from pg_inherits where inhparent = any($1::text[]::regclass[])`,
    [TABLES],
  );
  const [{ pid, parts } = { pid: 0, parts: 0 }] = rows;
  const accounts = await seedAccounts(handle.pool, ACCOUNTS);
  if (!hasNoUrl) await client.query(`update outbox.receiver set url = 'https://shop.example/hook'`);
  console.log(`${name}: ${parts === 0 ? 'four tables' : `${parts} parts`}`);
  return { name, handle, client, pid, accounts };
}

/** Posts a slice, so many a call, and returns the processor time of a posting in microseconds. */
async function postSlice({ client, pid, accounts }: Kind, size: number): Promise<number> {
  const calls = Array.from(
    { length: SLICE / size },
    () => `[${Array.from({ length: size }, () => postingJson(accounts.nextPosting(false))).join(',')}]`,
  );
  const before = await cpuMicroseconds(pid);
  for (const call of calls) {
    await client.query({ name: 'post', text: 'select ordinal, outcome from ledger.post($1::jsonb)', values: [call] });
  }
  return ((await cpuMicroseconds(pid)) - before) / SLICE;
}

/** Each kind by turns, first the one and then another: medians of all rounds. */
async function byTurns(kinds: readonly Kind[], measure: (kind: Kind) => Promise<number>): Promise<number[]> {
  const taken = kinds.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (let turn = 0; turn < kinds.length; turn++) {
      const at = (round + turn) % kinds.length;
      const kind = kinds[at];
      if (kind === undefined) continue;
      const value = await measure(kind);
      if (round > 0) taken[at]?.push(value); // the first warms up
    }
  }
  return taken.map(median);
}

const cell = (value: number, unit: string): string => `${value.toFixed(0)} ${unit}`.padStart(14);
const share = (ratio: number): string => `${(100 * ratio).toFixed(0)} %`.padStart(8);

const root = await mkdtemp(join(tmpdir(), 'paytag-bench-'));
const server = await startEmbedded(root, { shared_buffers: '512MB', max_wal_size: '4GB' });
const kinds: Kind[] = [];
try {
  kinds.push(await openKind(server, 'whole', true));
  kinds.push(await openKind(server, 'parts', false));
  kinds.push(await openKind(server, 'whole_again', true));
  const posters = new Map(kinds.map((kind) => [kind, newPoster(kind.handle.pool)]));
  const postedASecond = (kind: Kind) =>
    throughput(8 * SLICE, CALLERS, async () => posters.get(kind)?.post(kind.accounts.nextPosting(false)));
  for (const kind of kinds) {
    await postedASecond(kind);
    await kind.handle.pool.query('vacuum analyze'); // of tables with something in them, so that plans are those of use
  }
  console.log(`${''.padEnd(28)}${kinds.map(({ name }) => name.padStart(14)).join('')}${'of whole'.padStart(10)}`);
  for (const size of SIZES) {
    const [whole = 0, parts = 0, again = 0] = await byTurns(kinds, async (kind) => postSlice(kind, size));
    console.log(
      `${`CPU, ${size} a call`.padEnd(28)}${[whole, parts, again].map((us) => cell(us, 'µs')).join('')}${share(whole / parts)}`,
    );
  }
  const rates = await byTurns(kinds, postedASecond);
  const [whole = 0, parts = 0] = rates;
  console.log(
    `${`${CALLERS} callers, gathered`.padEnd(28)}${rates.map((rate) => cell(rate, '/s')).join('')}${share(parts / whole)}`,
  );
} finally {
  for (const { client } of kinds) client.release();
  await Promise.all(kinds.map(({ handle }) => handle.close()));
  await server.stop();
  await rm(root, { recursive: true });
}
