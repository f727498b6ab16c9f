import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#lib/postgres/database.ts';

import { startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { newPoster, post, postingBetween } from '../../support/post.ts';
import { latencies, throughput } from '../table.ts';
import { overHttp } from './over-http.ts';
import { pgbench } from './pgbench.ts';
import { sealingCost } from './sealing.ts';
import { type SeededAccounts, seedAccounts } from './seed-accounts.ts';

const CALLERS = 64;
const POOL = 8;
const ACCOUNTS = 1_000;
const PARTNERS = 64;
const LONE_ROUNDS = 500;
const LONG_HISTORY = 1_000_000;

const count = Number(process.argv[2] ?? 10_000);
const rate = (perSecond: number): string => `${Math.round(perSecond)}/s`.padStart(10);
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(0)} %`.padStart(7);
const line = (name: string, value: string, ratio = ''): void => console.log(`${name.padEnd(28)}${value}${ratio}`);

const root = await mkdtemp(join(tmpdir(), 'paytag-bench-'));
const server = await startEmbedded(root, { shared_buffers: '512MB', max_wal_size: '4GB', max_connections: '200' });
const url = server.url('postgres');
await migrateDatabase(url);
const database = openDatabase(url, POOL, console.error);
const { db, pool } = database;
try {
  const accounts = await seedAccounts(pool, ACCOUNTS);
  const poster = newPoster(pool, () => undefined);
  const batched = (hot: boolean) => throughput(count, CALLERS, () => poster.post(accounts.nextPosting(hot)));
  const single = (hot: boolean) => throughput(count / 4, CALLERS, () => post(db, accounts.nextPosting(hot)));

  await batched(false); // warm-up
  await pool.query('vacuum analyze');
  const spread = await batched(false);
  const hot = await batched(true);
  const partners: SeededAccounts[] = [];
  while (partners.length < PARTNERS) partners.push(await seedAccounts(pool, ACCOUNTS / 100));
  let turn = 0;
  const nextOfAll = () => partners[turn++ % PARTNERS]?.nextPosting(true) ?? accounts.nextPosting(true);
  const many = await throughput(count, CALLERS, () => poster.post(nextOfAll()));
  const http = await overHttp(url, count / 2);
  const singles = [await single(false), await single(true)] as const;
  // Last, because it leaves many dead versions of the hot row.
  const baseline = [await pgbench(url, accounts, false), await pgbench(url, accounts, true)] as const;

  line('pgbench', rate(baseline[0]));
  line('single', rate(singles[0]), percent(singles[0], baseline[0]));
  line('batched', rate(spread), percent(spread, baseline[0]));
  line('batched, 64 partners', rate(many), percent(many, baseline[0]));
  line('HTTP credit', rate(http.spread), percent(http.spread, baseline[0]));
  line('one hot float', '', '   of the above');
  line('  pgbench', rate(baseline[1]), percent(baseline[1], baseline[0]));
  line('  single', rate(singles[1]), percent(singles[1], singles[0]));
  line('  batched', rate(hot), percent(hot, spread));
  line('  HTTP credit', rate(http.hot), percent(http.hot, http.spread));

  const [loneBatched, loneSingle] = await latencies(
    LONE_ROUNDS,
    () => poster.post(accounts.nextPosting(false)),
    () => post(db, accounts.nextPosting(false)),
  );
  line('lone caller, batched', `${loneBatched.toFixed(2)} ms`.padStart(10), percent(loneBatched, loneSingle));

  const sealing = await sealingCost(pool, () => batched(false));
  line('sealing a million postings', `${sealing.secondsForMillion.toFixed(1)} s`.padStart(10));
  line('batched, beside a seal', rate(sealing.beside), percent(sealing.beside, sealing.alone));
  line('  over the hour', '', `${(100 * (1 - sealing.share)).toFixed(1)} %`.padStart(17));

  const [float = 0] = accounts.floats;
  const [short = 0, long = 0] = accounts.wallets;
  await addHistory(long);
  const on = (wallet: number) => () =>
    poster.post(postingBetween(float, wallet, 100n, { owner: accounts.partner, reference: crypto.randomUUID() }));
  const [afterMany, afterFew] = await latencies(LONE_ROUNDS, on(long), on(short));
  line('after 1,000,000 entries', `${afterMany.toFixed(2)} ms`.padStart(10), percent(afterMany, afterFew));
} finally {
  await database.close();
  await server.stop();
  await rm(root, { recursive: true });
}

/** Gives a wallet a million entries as if they had been posted, without their events. */
async function addHistory(wallet: number): Promise<void> {
  const { rows } = await pool.query<{ transaction_id: string }>(
    'select max(id) as transaction_id from ledger.transaction',
  );
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into ledger.entry (transaction_id, leg, account_id, amount, version, opening, closing, business_date, created_at)
       select $1::bigint + 1000000 + i, 1, a.id, 1, a.version + i, a.posted + i - 1, a.posted + i, current_date, now()
       from ledger.account a, generate_series(1, $3::int) i where a.id = $2`,
      [rows[0]?.transaction_id, wallet, LONG_HISTORY],
    );
    await client.query('update ledger.account set posted = posted + $2, version = version + $2 where id = $1', [
      wallet,
      LONG_HISTORY,
    ]);
    await client.query('reset session_replication_role');
  } finally {
    client.release();
  }
  await pool.query('vacuum analyze ledger.entry');
}
