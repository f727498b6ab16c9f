import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { startEmbedded } from '../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../src/migrate.ts';
import { MIGRATIONS_FOLDER, readMigrations } from '../../src/schema/migrations.ts';
import { repetitions } from '../support/cases.ts';
import { asOwner, copyCluster, createDatabase, createEmptyDatabase, newDatabaseFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { ownPort, runToEnd, serverEnv, startProgram } from '../support/process.ts';
import { serveHere } from '../support/served.ts';

const DATABASES = repetitions({ short: 2, soak: 4 });
const SERVERS = 5;
/** How what a server says begins, when another one migrates and when it has migrated itself. */
const WAITS = 'waiting for another process that migrates this database';
const APPLIED = 'database ready (schema ';

/** What a server has said in its log, in whole lines. */
const wordsOf = ({ stdout }: { readonly stdout: string }): string[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).msg);

it('of five servers that start at once on an empty database one migrates it, each migration once, and the others wait for it and say so', async () => {
  const url = await createEmptyDatabase();
  const holder = new Client({ connectionString: url });
  await holder.connect();
  await holder.query('begin; create schema drizzle'); // whoever migrates waits for this first, so that no other comes too late to wait
  const ports = await Promise.all(Array.from({ length: SERVERS }, ownPort));
  const servers = await Promise.all(
    ports.map((port) =>
      startProgram(['src/server.ts'], { ...serverEnv(url), MIGRATE: 'on-start', PORT: String(port) }),
    ),
  );
  const whoSaid = (beginning: string) =>
    ports.filter((_, at) => wordsOf(servers[at] ?? { stdout: '' }).some((words) => words.startsWith(beginning)));
  try {
    await eventually(() => expect(whoSaid(WAITS)).toHaveLength(SERVERS - 1));
    expect(whoSaid(APPLIED)).toEqual([]);
    await holder.query('rollback');
    await eventually(async () => {
      const answers = await Promise.all(ports.map(async (port) => fetch(`http://127.0.0.1:${port}/health/ready`)));
      expect(answers.map(({ status }) => status)).toEqual(ports.map(() => 200));
    });
    const waited = whoSaid(WAITS);
    expect(waited).toHaveLength(SERVERS - 1);
    expect(whoSaid(APPLIED)).toEqual(ports.filter((port) => !waited.includes(port)));

    const { rows } = await holder.query<{ tag: string }>('select tag from drizzle.__drizzle_migrations order by id');
    expect(rows.map(({ tag }) => tag)).toEqual((await readMigrations(MIGRATIONS_FOLDER)).map(({ tag }) => tag));
  } finally {
    await holder.end();
    await Promise.all(servers.map((server) => server.kill('SIGTERM')));
  }
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
  for (const program of [['src/server.ts'], ['src/cli/paytag.js', 'migrate']]) {
    const { code, stderr } = await runToEnd(program, serverEnv(url));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ENVIRONMENT is sandbox, but this database is the staging one[^\n]*\n$/);
  }
  const { rows } = await client.query('select 1 from drizzle.__drizzle_migrations');
  await client.end();
  expect(rows).toEqual([]);
});

it('a database that is not there is one line that says which variable names it', async () => {
  const { code, stderr } = await runToEnd(['src/server.ts'], serverEnv('postgresql://nobody@127.0.0.1:9/none'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^DATABASE_URL: the database cannot be reached[^\n]*\n$/);
});
