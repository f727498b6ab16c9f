import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { type Embedded, startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { ensureServerLogin } from '../../../src/prepare-database.ts';
import { asServer } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { ownPort } from '../../support/process.ts';
import { startRedis } from '../../support/redis.ts';
import { ensureRedisServer } from '../../support/setup/redis.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { killPostgres } from '../kill-postgres.ts';

const run = promisify(execFile);
/** As it is by default, so durable: a commit waits for the disk. */
const SETTINGS = { max_connections: '200', max_wal_size: '256MB', min_wal_size: '64MB' };
const BLOCK = 4_096;

/** One PostgreSQL and one Redis, each behind a proxy that can lose connections. */
export interface Stores {
  /** As a server reaches them. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** The database as its owner, past the proxy. It changes with each restart. */
  readonly ownerUrl: string;
  readonly database: TcpProxy;
  readonly redis: TcpProxy;
  /** Ends PostgreSQL, immediately or in good order, does `meanwhile`, and starts it again. */
  restartDatabase(how: 'kill -9' | 'stop', meanwhile: () => Promise<void>): Promise<void>;
  restartRedis(meanwhile: () => Promise<void>): Promise<void>;
  flushRedis(): Promise<void>;
  /** Leaves no byte on the disk of the database during `meanwhile`. Undefined where no file system of its own can be mounted. */
  readonly fillDisk: ((meanwhile: () => Promise<void>) => Promise<void>) | undefined;
  /** What PostgreSQL wrote of processes of its own that ended otherwise than as they should. */
  crashes(): Promise<{ broken: string[]; looked: string }>;
  close(): Promise<void>;
}

/** @param diskMb what the file system in memory of the database holds */
export async function openStores(diskMb: number): Promise<Stores> {
  const folder = await mkdtemp(join(tmpdir(), 'paytag-test-soak-'));
  const root = join(folder, 'disk');
  await run('chmod', ['711', folder]);
  await mkdir(root, { mode: 0o711 });
  const options = (sizeKb: number, ...more: string[]) => [...more, `size=${sizeKb}k`, 'mode=0711'].join();
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', options(diskMb * 1024), 'tmpfs', root]).then(
    () => true,
    () => false,
  );
  const start = () => eventually(() => startEmbedded(root, SETTINGS));
  let postgres: Embedded = await start();
  const ownerUrl = () => postgres.url('postgres');
  await migrateDatabase(ownerUrl());
  await ensureServerLogin(ownerUrl(), asServer(ownerUrl()));
  const database = await startTcpProxy(ownerUrl());

  const redisServer = await ensureRedisServer();
  const port = await ownPort();
  let redisProcess = await startRedis(redisServer, port);
  const redis = await startTcpProxy(`redis://127.0.0.1:${port}`);

  async function startAgain(): Promise<void> {
    postgres = await start();
    database.leadTo(ownerUrl());
  }
  async function fillDisk(meanwhile: () => Promise<void>): Promise<void> {
    // Refused where more was written in between.
    await eventually(async () => {
      const { blocks, bavail, bsize } = await statfs(root);
      const usedKb = ((blocks - bavail) * bsize) / 1024;
      await run('mount', ['-o', options(Math.max(usedKb, BLOCK), 'remount'), 'tmpfs', root]);
    });
    try {
      await meanwhile();
    } finally {
      await run('mount', ['-o', options(diskMb * 1024, 'remount'), 'tmpfs', root]);
      // It ends by itself when it cannot write its log of what was done.
      if (postgres.child.exitCode !== null || postgres.child.signalCode !== null) await startAgain();
    }
  }
  return {
    databaseUrl: asServer(database.url),
    redisUrl: redis.url,
    get ownerUrl() {
      return ownerUrl();
    },
    database,
    redis,
    async restartDatabase(how, meanwhile) {
      if (how === 'stop') await postgres.stop();
      else await killPostgres(root);
      await meanwhile();
      await startAgain();
    },
    async restartRedis(meanwhile) {
      await redisProcess.end();
      await meanwhile();
      redisProcess = await startRedis(redisServer, port);
    },
    async flushRedis() {
      const admin = new Redis(port, '127.0.0.1');
      await admin.flushall();
      await admin.quit();
    },
    fillDisk: mounted ? fillDisk : undefined,
    async crashes() {
      const log = await readFile(join(root, 'postgres.log'), 'utf8');
      const broken = log.split('\n').filter((line) => /was terminated by signal (?!9:)/.test(line));
      return {
        broken: broken.slice(0, 10),
        looked: `${broken.length} of its processes ended by a signal that nobody sent`,
      };
    },
    async close() {
      await Promise.all([database.close(), redis.close()]);
      await redisProcess.end();
      await postgres.stop();
      if (mounted) await run('umount', [root]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
