import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { beforeAll, expect, inject } from 'vitest';
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
