import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { beforeAll, expect, inject } from 'vitest';
import { drizzle } from '#drizzle/node-postgres';
import type { TestApp } from './app.ts';
import { eventually } from './eventually.ts';

/** The migrated database that every test database is a copy of. */
export const TEMPLATE = 'template_app';

/** The login of servers in every database of the run, with the rights of a server and no other. */
const SERVER = { username: 'paytag_server', password: 'of-the-tests' };

/** The connection string of a server for a database whose owner's is given. */
export const asServer = (ownerUrl: string): string => Object.assign(new URL(ownerUrl), SERVER).href;

/** The connection string of the owner of a database, who may do everything, for a server's. */
export const asOwner = (url: string): string => {
  const { username, password } = new URL(inject('databaseServerUrl'));
  return Object.assign(new URL(url), { username, password }).href;
};

/** A database for this test file alone, migrated and empty, as a server reaches it and as its owner. */
export function useDatabase(): { readonly url: string; readonly ownerUrl: string } {
  const { url, create } = newDatabase();
  beforeAll(create);
  return { url, ownerUrl: asOwner(url) };
}

/**
 * A database made now, migrated and empty. Resolves to its connection string for a server.
 *
 * @param given.isKept whether files that follow in this worker use it as well
 */
export async function createDatabase(given: { isKept?: boolean } = {}): Promise<string> {
  const { name, url, create } = newDatabase();
  await create();
  if (given.isKept) made.delete(name);
  return url;
}

/** A database with nothing in it, not even our schemas. Resolves to its connection string for its owner. */
export async function createEmptyDatabase(): Promise<string> {
  const { url, create } = newDatabase('template0');
  await create();
  return asOwner(url);
}

/** A copy of a database that nobody is connected to, or will be in a moment. Resolves to its connection string for a server. */
export async function copyDatabase(original: string): Promise<string> {
  const { url, create } = newDatabase(new URL(original).pathname.slice(1));
  await eventually(create);
  return url;
}

/** Databases that this worker made, and the file of tests that each is for. */
const made = new Map<string, string | undefined>();

/** Databases of files that are done go, so that a run takes no more room than a few: but for one that is still connected to. */
async function dropThoseOfOtherFiles(admin: Client): Promise<void> {
  const { testPath } = expect.getState();
  const done = [...made].flatMap(([name, file]) => (file === testPath ? [] : [name]));
  const { rows } = await admin.query<{ name: string }>(
    `select datname as name from pg_database where datname = any ($1)
      and not exists (select from pg_stat_activity where datid = pg_database.oid)`,
    [done],
  );
  for (const { name } of rows) {
    await admin.query(`drop database ${name}`);
    made.delete(name);
  }
}

function newDatabase(template = TEMPLATE): { name: string; url: string; create: () => Promise<void> } {
  const server = inject('databaseServerUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    url: asServer(url.href),
    async create() {
      const admin = new Client({ connectionString: server });
      await admin.connect();
      try {
        await dropThoseOfOtherFiles(admin);
        // Which is nothing but copying files: the least there is to do, where nothing waits for a disk.
        await admin.query(`create database ${name} template ${template} strategy file_copy`);
        made.set(name, expect.getState().testPath);
        // As rights.sql does; the rights on a database itself are not copied with it.
        if (template !== 'template0') await admin.query(`revoke temporary on database ${name} from public`);
      } finally {
        await admin.end();
      }
    },
  };
}

/** What a command has that runs with the owner's login at the database, beside a server. */
export const asOwnerOf = ({ resources, owner }: Pick<TestApp, 'resources' | 'owner'>): TestApp['resources'] => ({
  ...resources,
  db: drizzle({ client: owner }),
  pool: owner,
});

/** SQLSTATEs by which PostgreSQL says that it ends a session: it stops, is told to, or a transaction idles or takes too long. */
export const ENDED_STATES = ['57P01', '57P02', '57P03', '57P05', '25P03', '25P04'];

/**
 * These, and those of a backend that lacks what it works with, or is in conflict with others: whoever meets one goes on over another
 * connection, also where a pooler keeps this one open.
 */
export const SPENT_STATES = ['53100', '53200', '58030', '40001', '40P01', ...ENDED_STATES];

const run = promisify(execFile);

/**
 * Leaves in an empty folder what `startEmbedded` makes there before its first start, or what it leaves there once its database
 * `postgres` is migrated. Both are made once for a schema and copied from then on, for they take a second of CPU each.
 */
export async function copyCluster(root: string, which: 'fresh' | 'migrated' = 'fresh'): Promise<void> {
  await run('cp', ['-a', `${inject('clusters')[which]}/.`, root]); // with the owner, who may be another account
}

/** Linux's file system in memory: a database of thousands of small files is made there for a third of what a disk takes. */
const MEMORY = '/dev/shm';
/** What the databases of all workers never come to, with room to spare. A container has less of it, if nobody asked for more. */
const MEMORY_MIN_BYTES = 3 * 1024 ** 3;

/** Where databases may lie, and stay when a run is killed. */
export const databaseFolders: readonly string[] = [tmpdir(), MEMORY];

/** An empty folder for a database, in memory where there is room. It is none for programs: a container may run nothing from memory. */
export const newDatabaseFolder = async (prefix: string): Promise<string> =>
  mkdtemp(join((await hasRoom(MEMORY)) ? MEMORY : tmpdir(), prefix));

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MEMORY_MIN_BYTES;
}

/** Asks a database one thing, on a connection of its own. Resolves to the rows. */
export async function queryAs<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
