import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { type Embedded, startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { type Client, clientOf } from '../../support/client.ts';
import { type ServerProcess, serverEnv, startServer } from '../../support/process.ts';
import { type Load, startLoad } from '../load/load.ts';
import { type BenchApplication, fillInbox, newApplications } from './applications.ts';
import { type BenchCustomer, newCustomers } from './customers.ts';
import { type BenchPartner, newPartner } from './partners.ts';

const PARTNERS = 20;
const WALLETS = 10;
/** More than connections ask for: those who ask for the same thing at the same moment share a read, which few callers do. */
const WALLETS_READ = 128;
const CUSTOMERS = 128;
const APPLICATIONS = 32;
const HISTORY = 40;

/** PostgreSQL as it is by default, so durable, with room for what the benchmarks write. */
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', min_wal_size: '2GB', max_connections: '200' };
const WAL_FILES = 128;
const WAL_FILE_BYTES = 16 * 1024 * 1024;
/** Signs what the benchmarks send as Paystack. */
export const PAYSTACK_KEY = 'sk_test_of_the_benchmarks';
const PAYSTACK = {
  INBOUND_PROVIDER: 'paystack',
  INBOUND_PAYSTACK_URL: 'http://127.0.0.1:9',
  INBOUND_PAYSTACK_SECRET_KEY: PAYSTACK_KEY,
};
const NO_LIMITS = {
  RATE_LIMIT_LOGINS_PER_M: '0',
  RATE_LIMIT_FAILED_LOGINS_PER_H: '0',
  REQUESTS_RUNNING_MAX: '96', // as it is by default
  CUSTOMER_TOKEN_TTL_S: '86400',
  APPLICATION_TOKEN_TTL_S: '86400',
};

/** What the benchmarks measure on: one PostgreSQL, one server process, and what it was filled with over HTTP. */
export interface World {
  readonly databaseUrl: string;
  /** The database as its owner. */
  readonly pool: Pool;
  readonly server: ServerProcess;
  readonly call: Client;
  readonly load: Load;
  readonly partners: readonly [BenchPartner, ...BenchPartner[]];
  /** Customers of the first partner. */
  readonly customers: readonly BenchCustomer[];
  /** Each has offers and claims waiting. */
  readonly applications: readonly [BenchApplication, BenchApplication, ...BenchApplication[]];
  /** Megabytes that a process has in memory. */
  readonly residentMb: (pid?: number) => Promise<number>;
  close(): Promise<void>;
}

/** Starts the real server, without access log and limits, on a database of a PostgreSQL. */
export const startApi = (
  databaseUrl: string,
  { env, ...given }: { program?: string; env?: Record<string, string>; flags?: readonly string[] } = {},
): Promise<ServerProcess> =>
  startServer({ ...serverEnv(databaseUrl), ...NO_LIMITS, ...PAYSTACK, ROLE: 'api', LOG_LEVEL: 'warn', ...env }, given);

/** A PostgreSQL for benchmarks, with its files in a temporary folder. */
export async function startPostgres(): Promise<Embedded> {
  const root = await mkdtemp(join(tmpdir(), 'paytag-bench-'));
  const cluster = await startEmbedded(root, SETTINGS);
  await writeWalOnce(cluster);
  const stop = async () => {
    await cluster.stop();
    await rm(root, { recursive: true });
  };
  return { ...cluster, stop };
}

/**
 * Leaves files of WAL behind that are used again, as a PostgreSQL has that has run for a while: to make one takes 50 ms, for which
 * all commits wait.
 */
async function writeWalOnce(cluster: Embedded): Promise<void> {
  const pool = new Pool({ connectionString: cluster.url('postgres'), max: 1 });
  for (let file = 0; file < WAL_FILES; file++) {
    await pool.query("select pg_logical_emit_message(false, 'bench', repeat('x', $1))", [WAL_FILE_BYTES]);
  }
  await pool.query('checkpoint');
  await pool.query('select pg_switch_wal()'); // only files before the last checkpoint are used again
  await pool.query('checkpoint');
  await pool.end();
}

/** Fills a migrated database over HTTP. */
async function fill(call: Client, pool: Pool): Promise<Pick<World, 'partners' | 'customers' | 'applications'>> {
  const first = await newPartner(call, pool, WALLETS_READ, 'Bench 0');
  const others: BenchPartner[] = [];
  while (others.length < PARTNERS - 1) others.push(await newPartner(call, pool, WALLETS, `Bench ${others.length + 1}`));
  const credited = first.wallets.map(async ({ reference }) => {
    const path = `/v2/partner/wallet/${reference}/credit`;
    for (let index = 0; index < HISTORY; index++) {
      const json = { amount: 1.5, reference: `${reference}-${index}`, comment: 'Salary' };
      await call('POST', path, { headers: first.headers, json });
    }
  });
  await Promise.all(credited);
  const [paidOut] = first.wallets;
  await call('POST', `/v2/partner/wallet/${paidOut?.reference}/payout`, {
    headers: first.headers,
    json: { amount: 1, reference: 'paid-out', accountNumber: '0123456789', bankCode: '058' },
  });
  const customers = await newCustomers(call, pool, first, CUSTOMERS);
  const [one, two, ...rest] = await newApplications(call, pool, APPLICATIONS);
  if (one === undefined || two === undefined) throw new Error('no applications were made');
  const applications = [one, two, ...rest] as const;
  await Promise.all(applications.map((to, turn) => fillInbox(call, applications[turn + 1] ?? one, to)));
  return { partners: [first, ...others], customers, applications: [...applications] };
}

/**
 * Starts everything.
 *
 * @param addMore what else goes into the database, after it was filled over HTTP
 */
export async function openWorld(
  postgres: Embedded,
  name: string,
  addMore: (pool: Pool) => Promise<void> = async () => {},
): Promise<World> {
  const admin = new Pool({ connectionString: postgres.url('postgres'), max: 1 });
  await admin.query(`create database ${name}`);
  await admin.end();
  const databaseUrl = postgres.url(name);
  await migrateDatabase(databaseUrl);
  const pool = new Pool({ connectionString: databaseUrl, max: 8 });
  const server = await startApi(databaseUrl);
  const call = clientOf(server.url);
  const filled = await fill(call, pool);
  await addMore(pool);
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
  const load = startLoad();
  return {
    databaseUrl,
    pool,
    server,
    call,
    load,
    ...filled,
    async residentMb(pid = server.child.pid) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    async close() {
      load.close();
      await server.stop();
      await pool.end();
    },
  };
}
