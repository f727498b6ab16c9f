import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, rm, stat, statfs, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Embedded, startEmbedded } from '../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../src/migrate.ts';
import { type Answer, type TestPartner, useApp } from '../support/app.ts';
import { copyCluster } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { kycWallet } from '../support/wallets.ts';
import { openAckLog } from './ack-log.ts';

const run = promisify(execFile);
const CLIENTS = 4;
const FLOAT = 1_000_000;
/** A database right after its migrations takes 60 MB, and its WAL 48 MB at most. */
const SIZES = { data: '128m', wal: '80m' };
const SMALL = { max_wal_size: '48MB', min_wal_size: '32MB' };

const acks = openAckLog<{ status: number; body: object }>();
const sent = new Map<string, number>();
const mounted: string[] = [];
let folder = '';
let disks = { data: '', wal: '' };
let postgres: Embedded;
let proxy: TcpProxy;
let partner: TestPartner;
let wallet = '';

/** A small file system of its own. Only root may make one: these tests run in `npm run test:long` alone. */
async function mount(name: keyof typeof SIZES): Promise<string> {
  const disk = join(folder, name);
  await mkdir(disk);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZES[name]},mode=755`, 'paytag-test', disk]);
  mounted.push(disk);
  return disk;
}

/** A PostgreSQL with a disk for its data, and another one for its WAL. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paytag-test-disk-'));
  await run('chmod', ['755', folder]);
  disks = { data: await mount('data'), wal: await mount('wal') };
  await copyCluster(disks.data);
  const [inData, inWal] = [join(disks.data, 'cluster/data/pg_wal'), join(disks.wal, 'pg_wal')];
  const { uid, gid } = await stat(inData);
  await run('mv', [inData, inWal]);
  await symlink(inWal, inData);
  await run('chown', ['-h', `${uid}:${gid}`, inData]);
  postgres = await startEmbedded(disks.data, SMALL);
  await migrateDatabase(postgres.url('postgres'));
  proxy = await startTcpProxy(postgres.url('postgres'));
});
const server = useApp(
  {},
  {
    get url() {
      return proxy.url;
    },
  },
);
beforeAll(async () => {
  partner = await server.newPartner({ float: FLOAT });
  wallet = await kycWallet(server, partner);
});
afterAll(async () => {
  await proxy.close();
  await postgres.stop();
  acks.remove();
  for (const disk of mounted) await run('umount', [disk]);
  await rm(folder, { recursive: true });
});

async function send(reference: string, amount: number): Promise<Answer> {
  sent.set(reference, amount);
  const payload = { amount, reference, comment: `for ${reference} `.repeat(12) };
  return server.call('POST', `/v2/partner/wallet/${wallet}/credit`, { headers: partner.headers, payload });
}
const answerOf = (answer: Answer) => {
  const { timestamp: _timestamp, requestId: _requestId, ...body } = answer.json<Record<string, unknown>>();
  return { status: answer.statusCode, body };
};
const ready = async () => (await server.call('GET', '/health/ready')).statusCode;

/** Takes what is left of a disk. Resolves to what gives it back. */
async function fill(disk: string): Promise<() => Promise<void>> {
  const path = join(disk, 'taken');
  const file = await open(path, 'w');
  const { bavail, bsize } = await statfs(disk);
  const taken = file.writeFile(Buffer.alloc(bavail * bsize));
  await taken.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error; // others write too
  });
  await file.close();
  return () => rm(path);
}

/** Credits of several callers, each sent until it is answered, for as long as `work` takes. */
async function underLoad(work: (answered: () => number) => Promise<void>): Promise<number> {
  let refused = 0;
  const over = new AbortController();
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!over.signal.aborted) {
      const reference = `credit-${sent.size}`;
      const amount = randomInt(1, 6_001) / 100;
      await eventually(async () => {
        const answer = await send(reference, amount);
        if (answer.statusCode === 503) refused += 1;
        expect(answer.statusCode).toBe(200);
        acks.write(reference, answerOf(answer));
      });
    }
  });
  const before = acks.read().length;
  await work(() => acks.read().length - before);
  over.abort();
  await Promise.all(clients);
  return refused;
}

async function nothingIsLostOrDoubled(): Promise<void> {
  const told = new Map(acks.read().map(({ reference, answer }) => [reference, answer]));
  expect(told.size).toBe(sent.size);
  let credited = 0;
  for (const [reference, amount] of sent) {
    expect(answerOf(await send(reference, amount))).toEqual(told.get(reference));
    credited += Math.round(amount * 100);
  }
  const { rows } = await server.resources.pool.query(
    `select sum(posted)::int as kobo from ledger.account where kind = 'WALLET' and currency = 'NGN'`,
  );
  expect(rows).toEqual([{ kobo: credited }]);
  expect((await server.operate('GET', '/ledger/check')).json()).toMatchObject({ ok: true });
}

it('a disk of data that is full under load is 503, readiness too; with room on it all goes on by itself, and nothing acknowledged is lost', async ({
  annotate,
}) => {
  let tookMs = 0;
  const refused = await underLoad(async (answered) => {
    await eventually(() => expect(answered()).toBeGreaterThan(100));
    const free = await fill(disks.data);
    await eventually(async () => expect(await ready()).toBe(503));
    expect(server.logged).toContain('the database serves no requests: its disk is full');
    await free();
    const since = performance.now();
    await eventually(async () => expect(await ready()).toBe(200));
    tookMs = performance.now() - since;
    const again = answered();
    await eventually(() => expect(answered()).toBeGreaterThan(again + 50));
  });
  await annotate(`${refused} times 503; ready ${Math.round(tookMs)} ms after there was room`);
  await nothingIsLostOrDoubled();
});

/** Asks PostgreSQL, as whoever runs it. */
async function ask(statement: string): Promise<void> {
  const client = new Client({ connectionString: postgres.url('postgres') });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => undefined);
  }
}

it('a disk of WAL that is full stops PostgreSQL; with room on it, everything that was acknowledged is there', async ({
  annotate,
}) => {
  let stops = 0;
  let tookMs = 0;
  const refused = await underLoad(async (answered) => {
    await eventually(() => expect(answered()).toBeGreaterThan(100));
    // The usual reason: a standby is gone, and its slot keeps the WAL that it has not had.
    await ask(`select pg_create_physical_replication_slot('of_a_standby_that_is_gone', true)`);
    const free = await fill(disks.wal);
    await eventually(async () => {
      await ask('select pg_switch_wal()').catch(() => undefined);
      const log = await readFile(join(disks.data, 'postgres.log'), 'utf8');
      stops = log.match(/ PANIC: .* No space left on device/g)?.length ?? 0;
      expect(stops).toBeGreaterThan(0);
    });
    await eventually(async () => expect(await ready()).toBe(503));
    await free();
    const since = performance.now();
    if (postgres.child.exitCode !== null) {
      postgres = await startEmbedded(disks.data, SMALL); // as whoever keeps it running does
      proxy.leadTo(postgres.url('postgres'));
    }
    const again = answered();
    await eventually(() => expect(answered()).toBeGreaterThan(again + 50));
    tookMs = performance.now() - since;
  });
  await annotate(
    `${refused} times 503, stopped ${stops} times; served again ${Math.round(tookMs)} ms after there was room`,
  );
  await nothingIsLostOrDoubled();
});
