import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BatchFunction, createGatheredCalls, type GatheredCall } from '#lib/postgres/batch-calls.ts';
import { type DatabaseHandle, openDatabase } from '#lib/postgres/database.ts';
import { asMinor, type Poster, systemAccount } from '#modules/ledger';
import { type Embedded, startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import type { PostingRow } from '../../../src/modules/ledger/posting-result.ts';
import { killPostgres } from '../../faults/kill-postgres.ts';
import { newPoster, post, postingBetween } from '../../support/post.ts';

const run = promisify(execFile);
/** Durable, as it is by default. */
const SETTINGS = { shared_buffers: '256MB', max_wal_size: '4GB' };
const POOL = 8;
const WALLETS = 500;
const OPENING = 1_000_000_00n;
const TICKS_A_SECOND = 100;
const SEND: BatchFunction = {
  name: 'shard.send',
  columns: 'ordinal, outcome, replayed, transaction_id, created_at, entries',
  poolShare: 0.75,
  locksAccounts: true,
};

/** What PostgreSQL has spent since it started. */
export interface Spent {
  readonly cpuSeconds: number;
  readonly walBytes: number;
}

/** A PostgreSQL of its own with our schema, the wallets of one partner, and an account for each other shard. */
export interface Shard {
  readonly number: number;
  readonly partner: string;
  readonly wallets: readonly number[];
  readonly database: DatabaseHandle;
  readonly poster: Poster;
  readonly send: GatheredCall<PostingRow>;
  /** The account of what is owed to another shard, and of what it owes. */
  dueTo(other: number): number;
  dueFrom(other: number): number;
  /** The balance of a deferred account, with what has not been added to it yet. */
  balance(account: number): Promise<bigint>;
  spent(): Promise<Spent>;
  /** kill -9, and the same again on the same port. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes the files of `count` shards under `root`: one is migrated, and the others are copies of it. */
export async function makeShards(root: string, count: number): Promise<Shard[]> {
  const [first = '', ...others] = Array.from({ length: count }, (_, at) => join(root, String(at)));
  const made = await startEmbedded(first, { fsync: 'off' });
  await migrateDatabase(made.url('postgres'));
  await made.stop();
  for (const other of others) await run('cp', ['-a', first, other]);
  return Promise.all([first, ...others].map((folder, at) => openShard(folder, at, count)));
}

async function openShard(folder: string, number: number, count: number): Promise<Shard> {
  let cluster: Embedded = await startEmbedded(folder, SETTINGS);
  const url = cluster.url('postgres');
  const database = openDatabase(url, POOL, () => undefined);
  const { pool } = database;
  await pool.query(await readFile(new URL('shard.sql', import.meta.url), 'utf8'));
  const partner = randomUUID();
  const wallets = await openWallets(database, partner);
  const { rows } = await pool.query<{ id: string }>(
    `insert into ledger.account (kind, reference, currency, lock_mode)
     select 'CLEARING', way || ' shard ' || other, 'NGN', 'deferred'
     from generate_series(0, $1::int - 1) other, (values (1, 'due to'), (2, 'due from')) w (n, way) order by other, n returning id`,
    [count],
  );
  const due = rows.map(({ id }) => Number(id));
  const poster = newPoster(pool);
  const send = createGatheredCalls<PostingRow>(pool, SEND, () => undefined);

  return {
    number,
    partner,
    wallets,
    database,
    poster,
    send,
    dueTo: (other) => due[2 * other] ?? 0,
    dueFrom: (other) => due[2 * other + 1] ?? 0,
    async balance(account) {
      const found = await pool.query<{ balance: string }>(
        `select a.posted + coalesce((select sum(d.amount) from ledger.deferred_delta d where d.account_id = a.id), 0) as balance
         from ledger.account a where a.id = $1`,
        [account],
      );
      return BigInt(found.rows[0]?.balance ?? 0);
    },
    async spent() {
      const wal = await pool.query<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0' as bytes`);
      return { cpuSeconds: await cpuSecondsOf(folder), walBytes: Number(wal.rows[0]?.bytes) };
    },
    async kill() {
      await killPostgres(folder);
      await cluster.stop();
      cluster = await startEmbedded(folder, SETTINGS, async () => Number(new URL(url).port));
    },
    async stop() {
      await database.close();
      await cluster.stop();
    },
  };
}

/** Wallets with money, whose partner has a webhook endpoint. */
async function openWallets({ db, pool }: DatabaseHandle, partner: string): Promise<number[]> {
  await pool.query(
    `insert into outbox.receiver (owner_id, owner_kind, client_id_sealed, secret_sealed, routing_mac) values ($1, 'PARTNER', '', '', '')`,
    [partner],
  );
  const { rows } = await pool.query<{ id: string }>(
    `insert into ledger.account (kind, partner_id, reference, currency, floor, emits)
     select 'WALLET', $1, 'W-' || i, 'NGN', 0, true from generate_series(1, $2::int) i returning id`,
    [partner, WALLETS],
  );
  const wallets = rows.map(({ id }) => Number(id));
  for (const wallet of wallets) {
    const names = { owner: partner, partner, namer: 'OPERATOR', reference: `opening-${wallet}` } as const;
    await post(db, postingBetween(systemAccount('CLEARING', 'NGN'), wallet, asMinor(OPENING), names));
  }
  return wallets;
}

/** Of PostgreSQL's first process, with all that have ended, and of those that it has now. */
async function cpuSecondsOf(folder: string): Promise<number> {
  const [pid = ''] = (await readFile(join(folder, 'cluster/data/postmaster.pid'), 'utf8')).split('\n');
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const ticksOf = async (process: string, ended: boolean) => {
    const stat = await readFile(`/proc/${process}/stat`, 'utf8').catch(() => '');
    const [user, system, endedUser, endedSystem] = stat.replace(/.*\) /s, '').split(' ').slice(11).map(Number);
    return (user ?? 0) + (system ?? 0) + (ended ? (endedUser ?? 0) + (endedSystem ?? 0) : 0);
  };
  const ticks = await Promise.all([
    ticksOf(pid, true),
    ...children
      .trim()
      .split(' ')
      .map((child) => ticksOf(child, false)),
  ]);
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_A_SECOND;
}
