import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { beforeAll, inject } from 'vitest';
import { eventually } from './eventually.ts';

/** The migrated database that every test database is a copy of. */
export const TEMPLATE = 'template_app';

/** A database for this test file alone, migrated and empty. It goes with the run. */
export function useDatabase(): { readonly url: string } {
  const { url, create } = newDatabase();
  beforeAll(create);
  return { url };
}

/** A database made now, migrated and empty. Resolves to its connection string. */
export async function createDatabase(): Promise<string> {
  const { url, create } = newDatabase();
  await create();
  return url;
}

/** A database with nothing in it, not even our schemas. Resolves to its connection string. */
export async function createEmptyDatabase(): Promise<string> {
  const { url, create } = newDatabase('template0');
  await create();
  return url;
}

/** A copy of a database that nobody is connected to, or will be in a moment. Resolves to its connection string. */
export async function copyDatabase(original: string): Promise<string> {
  const { url, create } = newDatabase(new URL(original).pathname.slice(1));
  await eventually(create);
  return url;
}

function newDatabase(template = TEMPLATE): { url: string; create: () => Promise<void> } {
  const server = inject('databaseServerUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async create() {
      const admin = new Client({ connectionString: server });
      await admin.connect();
      try {
        await admin.query(`create database ${name} template ${template} strategy wal_log`);
      } finally {
        await admin.end();
      }
    },
  };
}
