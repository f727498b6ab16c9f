import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { type Embedded, startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import {
  type Client,
  clientOf,
  type RemoteCustomer,
  type RemotePartner,
  remoteCustomer,
  remotePartner,
} from '../../support/client.ts';
import { type ServerProcess, serverEnv, startServer } from '../../support/process.ts';
import { type Load, startLoad } from '../load/load.ts';

export interface BenchApplication {
  applicationId: string;
  client_id: string;
  client_secret: string;
  headers: Record<string, string>;
  /** Its own tag. */
  tag: string;
  /** The ledger account of its settlement wallet in naira. */
  account: number;
}

/** Applications with a token, a tag and a settlement wallet with a million naira each. */
async function newApplications(call: Client, pool: Pool, count: number): Promise<BenchApplication[]> {
  const applications: BenchApplication[] = [];
  for (let index = 0; index < count; index++) {
    const json = { applicationName: `Shop ${index}`, webhookUrl: 'http://127.0.0.1:9/webhook' };
    type Made = Pick<BenchApplication, 'applicationId' | 'client_id' | 'client_secret'>;
    const { data } = (await call<{ data: Made }>('POST', '/api/v1/applications', { json })).body;
    const credentials = { client_id: data.client_id, client_secret: data.client_secret };
    const token = await call<{ access_token: string }>('POST', '/api/v1/auth/token', { json: credentials });
    const headers = { authorization: `Bearer ${token.body.access_token}` };
    const tag = `bench-tag-${index}`;
    await call('POST', '/api/v1/subjects', { headers, json: { externalId: 'owner' } });
    await call('POST', '/api/v1/tags', { headers, json: { tagString: tag, externalId: 'owner' } });
    const { rows } = await pool.query<{ id: string }>(
      `select id from ledger.account where kind = 'APPLICATION' and reference = $1 and currency = 'NGN'`,
      [data.applicationId],
    );
    applications.push({ ...data, headers, tag, account: Number(rows[0]?.id) });
  }
  return applications;
}

/** Offers of money that wait for an application, and claims on its tag. */
async function fillInbox(call: Client, from: BenchApplication, to: BenchApplication): Promise<void> {
  const { headers } = from;
  for (let index = 0; index < 30; index++) {
    const json = { senderTag: from.tag, receiverTag: to.tag, amount: 10, currency: 'NGN', narration: `Lunch ${index}` };
    await call('POST', '/api/v1/transactions', { headers, json });
  }
  for (let index = 0; index < 3; index++) {
    const externalId = `customer-${index}`;
    await call('POST', '/api/v1/subjects', { headers, json: { externalId, displayName: 'Bola Ade' } });
    await call('POST', `/api/v1/tags/${to.tag}/claims`, { headers, json: { externalId } });
  }
}

export interface BenchCustomer extends RemoteCustomer {
  customerId: string;
  /** The ledger account of their wallet. */
  account: number;
}

/** Customers who have onboarded and logged in at a partner, each with money in their wallet. */
async function newCustomers(call: Client, pool: Pool, partner: BenchPartner, count: number): Promise<BenchCustomer[]> {
  const customers: BenchCustomer[] = [];
  for (let index = 0; index < count; index++) {
    const number = String(1001 + index);
    const person = { bvn: `2221234${number}`, phone: `+234803123${number}`, firstName: 'Ada' };
    const customer = await remoteCustomer(call, partner, { paytag: `bench.${number}`, ...person });
    const json = { amount: 100_000, reference: `opening-of-${number}` };
    await call('POST', `/v2/partner/wallet/${customer.wallet}/credit`, { headers: partner.headers, json });
    const { rows } = await pool.query<{ customer_id: string; account_id: string }>(
      'select customer_id, account_id from wallets.partner_wallet where reference = $1',
      [customer.wallet],
    );
    customers.push({ ...customer, customerId: String(rows[0]?.customer_id), account: Number(rows[0]?.account_id) });
  }
  return customers;
}

const FLOAT = 500_000_000;
const WALLET_BALANCE = 1_000_000;

export interface BenchWallet {
  reference: string;
  /** The ledger account. */
  account: number;
}

export interface BenchPartner extends RemotePartner {
  headers: Record<string, string>;
  /** The ledger account of its float. */
  float: number;
  wallets: BenchWallet[];
}

/** A partner with a receiver of webhooks, a float, and wallets with money in them. */
async function newPartner(call: Client, pool: Pool, wallets: number, name: string): Promise<BenchPartner> {
  // Nothing listens there, and no worker runs: its deliveries stay pending.
  const partner = await remotePartner(call, { name, float: FLOAT, webhookUrl: 'http://127.0.0.1:9/webhook' });
  const { headers } = partner;
  const references = await Promise.all(
    Array.from({ length: wallets }, async (_, index) => {
      const json = { kyc: { firstName: 'Chidi', lastName: 'Okafor' } };
      const { body } = await call<{ Reference: string }>('POST', '/v2/partner/wallet', { headers, json });
      const credit = { amount: WALLET_BALANCE, reference: `opening-${index}` };
      await call('POST', `/v2/partner/wallet/${body.Reference}/credit`, { headers, json: credit });
      return body.Reference;
    }),
  );
  const account = async (text: string, value: unknown) =>
    Number((await pool.query<{ id: string }>(text, [value])).rows[0]?.id);
  const float = await account(
    `select id from ledger.account where kind = 'FLOAT' and reference = $1 and currency = 'NGN'`,
    partner.id,
  );
  const found: BenchWallet[] = [];
  for (const reference of references) {
    const text = 'select account_id as id from wallets.partner_wallet where reference = $1';
    found.push({ reference, account: await account(text, reference) });
  }
  return { ...partner, headers, float, wallets: found };
}

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
