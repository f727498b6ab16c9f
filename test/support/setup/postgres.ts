import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { sha256 } from '#lib/crypto/digest.ts';
import { openCluster } from '../../../src/embedded/cluster.ts';
import { installedPrograms, startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { ensureServerLogin } from '../../../src/prepare-database.ts';
import { asServer, databaseFolders, newDatabaseFolder, TEMPLATE } from '../database.ts';
import { provideOnce } from './provide-once.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection string of the one PostgreSQL of this run, as its superuser. */
    databaseServerUrl: string;
    /**
     * Folders of clusters that nobody runs, to copy: one as `initdb` leaves it, one whose database `postgres` is migrated, and one
     * that has what tests use besides.
     */
    clusters: { readonly fresh: string; readonly migrated: string; readonly prepared: string };
  }
}

const run = promisify(execFile);
const TEMP_PREFIX = 'paytag-test-';
const KEPT = fileURLToPath(new URL('../../../node_modules/.cache/clusters', import.meta.url));
/** All that makes them. */
const MAKERS = [
  'migrations/**/*.sql',
  'migrations/meta/_journal.json',
  'src/{migrate,server-login}.ts',
  'src/{schema,embedded}/*.ts',
  'test/support/setup/postgres.ts',
];
const STALE_MS = 24 * 60 * 60 * 1000;

/** Nothing here outlives the run, so nothing waits for the disk. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  io_method: 'sync',
};
/** What is written is kept twice for no longer than it must. */
const SMALL = { max_wal_size: '256MB', min_wal_size: '64MB' };
const ROOM = { max_connections: '300', shared_buffers: '64MB' };
/** Hundreds of small databases would have a process begun for one of them all the time. */
const QUIET = { autovacuum: 'off' };

/** Of which database a line of the log is: several may have what they run explained at once. */
const LOGGED = { log_line_prefix: '%m [%p] %d ' };

/** One PostgreSQL for the run, with one migrated database to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let end = async () => {};
  await provideOnce(project, 'databaseServerUrl', async () => {
    await Promise.all(databaseFolders.map((folder) => sweep(folder, TEMP_PREFIX)));
    const clusters = await keptClusters();
    project.vitest.getRootProject().provide('clusters', clusters);
    const root = await newDatabaseFolder(TEMP_PREFIX);
    const remove = () => rm(root, { recursive: true, force: true });
    end = remove;
    await copy(`${clusters.prepared}/.`, root);
    const server = await startEmbedded(root, { ...FAST, ...SMALL, ...ROOM, ...QUIET, ...LOGGED });
    end = async () => {
      await server.stop();
      await remove();
    };
    return server.url('postgres');
  });
  return () => end();
}

/** With the owner, who may be another account. */
const copy = (from: string, to: string) => run('cp', ['-a', from, to]);

/** Makes the clusters once for a schema, for all runs: they take three seconds of CPU. */
async function keptClusters(): Promise<ProvidedContext['clusters']> {
  const kept = join(KEPT, await keyOfClusters());
  const parts = (folder: string) => ({
    fresh: join(folder, 'fresh'),
    migrated: join(folder, 'migrated'),
    prepared: join(folder, 'prepared'),
  });
  if (existsSync(kept)) return parts(kept);
  await sweep(KEPT, '');
  const draft = `${kept}-${process.pid}`;
  await mkdir(join(draft, 'migrated'), { recursive: true });
  await makeClusters(parts(draft));
  await rename(draft, kept).catch(async (error: unknown) => {
    await rm(draft, { recursive: true });
    if (!existsSync(kept)) throw error; // or another run was quicker
  });
  return parts(kept);
}

/** Another one whenever they would be made otherwise: for who may read them, too. */
async function keyOfClusters(): Promise<string> {
  const files = ['package-lock.json', ...globSync(MAKERS).toSorted()];
  const texts = await Promise.all(files.map((file) => readFile(file)));
  const lengths = texts.map((text) => text.length);
  const machine = [process.getuid?.(), process.platform, process.arch];
  return sha256(Buffer.concat([Buffer.from([...machine, ...lengths].join()), ...texts])).toString('hex');
}

async function makeClusters({ fresh, migrated, prepared }: ProvidedContext['clusters']): Promise<void> {
  await openCluster(migrated, (await installedPrograms()).initdb);
  await copy(migrated, fresh);
  await during(migrated, migrateDatabase);
  await copy(migrated, prepared);
  await during(prepared, async (url) => {
    await makeTemplate(url);
    await ensureServerLogin(url, asServer(url));
    await makeLoginsCheap(url);
  });
}

/** Does something while a server runs on a cluster. */
async function during(root: string, work: (url: string) => Promise<void>): Promise<void> {
  const server = await startEmbedded(root, FAST);
  try {
    await work(server.url('postgres'));
  } finally {
    await server.stop();
  }
}

async function makeTemplate(url: string): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query(`create database ${TEMPLATE} template postgres`);
    await admin.query(`alter database ${TEMPLATE} with is_template true allow_connections false`);
  } finally {
    await admin.end();
  }
}

/** Passwords stay, hashed once instead of 4096 times: a run logs in thousands of times. */
async function makeLoginsCheap(ownerUrl: string): Promise<void> {
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query('set scram_iterations = 1');
    for (const url of [ownerUrl, asServer(ownerUrl)]) {
      const { username, password } = new URL(url);
      await owner.query(`alter role ${owner.escapeIdentifier(username)} password ${owner.escapeLiteral(password)}`);
    }
  } finally {
    await owner.end();
  }
}

/** Removes what runs that were killed left behind, and clusters of other schemas, a day later. */
async function sweep(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(prefix)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    const removed = () => rm(path, { recursive: true, force: true });
    if (Date.now() - mtimeMs > STALE_MS) await removed().catch(() => undefined); // another run may be at it
  }
}
