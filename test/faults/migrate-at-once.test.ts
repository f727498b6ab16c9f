import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { startEmbedded } from '../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../src/migrate.ts';
import { asOwner, createDatabase, createEmptyDatabase } from '../support/database.ts';
import { copyCluster } from '../support/made-cluster.ts';
import { newDatabaseFolder } from '../support/memory.ts';
import { runToEnd, serverEnv } from '../support/process.ts';
import { repetitions } from '../support/repetitions.ts';
import { serveHere } from '../support/served.ts';

const DATABASES = repetitions({ short: 2, soak: 4 });

it('eight processes that start at once on a new database migrate it once', async () => {
  const url = await createEmptyDatabase();
  await Promise.all(Array.from({ length: 8 }, () => migrateDatabase(url)));
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    'select hash, count(*)::int as times from drizzle.__drizzle_migrations group by 1',
  );
  await client.end();
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.filter(({ times }) => times !== 1)).toEqual([]);
});

it('several databases of one new cluster migrate at once, though its roles belong to all of them', async () => {
  const root = await newDatabaseFolder('paytag-test-cluster-');
  await copyCluster(root);
  const cluster = await startEmbedded(root);
  try {
    const admin = new Client({ connectionString: cluster.url('postgres') });
    await admin.connect();
    const names = ['one', 'two', 'three', 'four'].slice(0, DATABASES);
    for (const name of names) await admin.query(`create database ${name}`);
    await Promise.all(names.map((name) => migrateDatabase(cluster.url(name))));
    const { rows } = await admin.query(`select rolcanlogin from pg_roles where rolname = 'paytag_server_role'`);
    await admin.end();
    expect(rows).toEqual([{ rolcanlogin: false }]);
  } finally {
    await cluster.stop();
    await rm(root, { recursive: true });
  }
});

it('a database of another environment is refused in one line, and nothing in it is changed', async () => {
  const url = asOwner(await createDatabase());
  const first = await serveHere({ ...serverEnv(url), ENVIRONMENT: 'staging', WEBHOOK_ALLOWED_CIDRS: '', ROLE: 'api' });
  await first.stop();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('delete from drizzle.__drizzle_migrations');
  for (const program of [['src/start.js'], ['src/cli/paytag.js', 'migrate']]) {
    const { code, stderr } = await runToEnd(program, serverEnv(url));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ENVIRONMENT is sandbox, but this database is the staging one[^\n]*\n$/);
  }
  const { rows } = await client.query('select 1 from drizzle.__drizzle_migrations');
  await client.end();
  expect(rows).toEqual([]);
});

it('a database that is not there is one line that says which variable names it', async () => {
  const { code, stderr } = await runToEnd(['src/start.js'], serverEnv('postgresql://nobody@127.0.0.1:9/none'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^DATABASE_URL: the database cannot be reached[^\n]*\n$/);
});
