import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assertMigrated, migrateDatabase } from '../../src/migrate.ts';
import { MIGRATIONS_FOLDER } from '../../src/schema/migrations.ts';
import { asOwner, asServer, createDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { runToEnd, serverEnv } from '../support/process.ts';

const NEXT = '9999_next';
const LATE = '9998_late';
const clients: Client[] = [];
let folder: string;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paytag-test-migrations-'));
});
beforeEach(async () => {
  url = asOwner(await createDatabase());
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await rm(folder, { recursive: true });
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: url });
  clients.push(client);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The migrations, and more: their SQL by tag, whose digits are their places. */
async function withMore(more: Readonly<Record<string, string>>): Promise<string> {
  await rm(folder, { recursive: true });
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
  const path = join(folder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(await readFile(path, 'utf8'));
  const last = entries.at(-1);
  const added = Object.keys(more).map((tag) => ({ ...last, when: last.when + Number(tag.slice(0, 4)), tag }));
  await writeFile(path, JSON.stringify({ ...rest, entries: [...entries, ...added] }));
  for (const [tag, sql] of Object.entries(more)) await writeFile(join(folder, `${tag}.sql`), sql);
  return folder;
}

const withNext = (sql: string) => withMore({ [NEXT]: sql });
const withLateAndNext = (late: string, next: string) => withMore({ [LATE]: late, [NEXT]: next });

/** What one who says in words was told. */
function listener() {
  const words: string[] = [];
  return { words, say: (line: string) => void words.push(line) };
}

/** The line that refuses a server, which ends with what to start. */
const refusal = (start: string) =>
  new RegExp(
    `^the database has the schema ${NEXT}, which this server does not work with \\(version [\\d.]+, schema \\d{4}_\\w+\\): start ${start}, or give it a database from before that migration$`,
  );

const timesApplied = async (client: Client) =>
  (await client.query('select count(*)::int as n from drizzle.__drizzle_migrations where tag = $1', [NEXT])).rows[0].n;
const waiting = async (client: Client, wait: string) => {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and wait_event_type = $1 and wait_event = $2',
    ['Lock', wait],
  );
  return rows;
};
const WRITE = 'lock table partners.partner in row exclusive mode';

describe('a migration of a table that is written to', () => {
  it('lets writers go on after two seconds while it cannot get its lock, and is applied when it can', async () => {
    const [busy, writer] = [await connect(), await connect()];
    await busy.query(`begin; ${WRITE}`);
    const { words, say } = listener();
    const next = await withNext('alter table partners.partner add column later text');
    const migrating = migrateDatabase(url, { say, folder: next });
    await eventually(async () => expect(await waiting(writer, 'relation')).toHaveLength(1));
    await writer.query(`begin; ${WRITE}; commit`); // it stood behind the migration, which waits for the first one still
    const gaveWay = /^migration 9999_next: a table is in use .* retrying in /;
    await eventually(() => expect(words).toEqual([expect.stringMatching(gaveWay)]));
    expect(await timesApplied(writer)).toBe(0);
    await busy.query('commit');
    await migrating;
    expect(await timesApplied(writer)).toBe(1);
  });

  it('keeps no writer waiting for an index, and makes anew the one that a run which broke off left behind', async () => {
    const [busy, writer] = [await connect(), await connect()];
    await busy.query(`begin; ${WRITE}`);
    const next = await withNext(`-- Outside a transaction.
create index concurrently if not exists "partner_by_name" on "partners"."partner" ("name")`);
    const validity = async () =>
      (await writer.query(`select indisvalid from pg_index where indexrelid = to_regclass('partners.partner_by_name')`))
        .rows;
    const broken = migrateDatabase(url, { folder: next }).catch((error: Error) => error.message);
    await eventually(async () => expect(await waiting(writer, 'virtualxid')).toHaveLength(1));
    await writer.query(`begin; ${WRITE}; commit`);
    expect(await validity()).toEqual([{ indisvalid: false }]);
    const [{ pid } = { pid: 0 }] = await waiting(writer, 'virtualxid');
    await writer.query('select pg_terminate_backend($1)', [pid]);
    expect(await broken).toMatch(/terminat/);
    expect([await validity(), await timesApplied(writer)]).toEqual([[{ indisvalid: false }], 0]);
    await busy.query('commit');
    await migrateDatabase(url, { folder: next });
    expect([await validity(), await timesApplied(writer)]).toEqual([[{ indisvalid: true }], 1]);
  });

  it('leaves behind what stands before it in the order, and nothing of itself, when it fails', async () => {
    const next = await withNext('create table public.half (id int);--> statement-breakpoint\nselect 1 / 0');
    await expect(migrateDatabase(url, { folder: next })).rejects.toThrow('division by zero');
    const client = await connect();
    expect((await client.query(`select to_regclass('public.half') as half`)).rows).toEqual([{ half: null }]);
    expect(await timesApplied(client)).toBe(0);
  });
});

describe('triggers of functions that have changed', () => {
  it('are applied one by one, so that no posting waits with them in a circle', async () => {
    const [busy, writer] = [await connect(), await connect()];
    await migrateDatabase(url);
    await writer.query(`delete from drizzle.functions; comment on schema drizzle is 'others'`);
    await busy.query('begin; lock table ledger.entry in row exclusive mode');
    const migrating = migrateDatabase(url);
    await eventually(async () => expect(await waiting(writer, 'relation')).toHaveLength(1));
    for (const table of ['audit.entry', 'ledger.account', 'ledger.transaction', 'outbox.event', 'webhooks.delivery']) {
      await busy.query(`lock table ${table} in row exclusive mode nowait`);
    }
    await busy.query('commit');
    await migrating;
    await assertMigrated(url);
  });
});

/** A version of an example: its migrations, the function that its servers call, and what they write. */
interface Version {
  migrations: Readonly<Record<string, string>>;
  titles: string;
  write: string;
}
const works = (from: string) => `-- Servers from ${from} on work with it.\n`;
const TITLES = (body: string) => `create or replace function example.titles() returns setof text language sql as $$
  ${body} order by id
$$;`;
const before: Version = {
  migrations: {
    '9001_example': `${works('0000')}create schema example; create table example.book (id serial primary key, name text not null)`,
  },
  titles: TITLES('select name from example.book'),
  write: `insert into example.book (name) values ('before')`,
};
const expand: Version = {
  migrations: {
    ...before.migrations,
    '9002_expand': `${works('9001')}alter table example.book add column title text, alter column name drop not null`,
  },
  titles: TITLES('select coalesce(title, name) from example.book'),
  write: `insert into example.book (name, title) values ('expand', 'expand')`,
};
const migrate: Version = {
  migrations: {
    ...expand.migrations,
    '9003_migrate': `${works('9002')}alter table example.book add constraint has_title check (title is not null or name is not null) not valid`,
    '9004_migrated': `-- Outside a transaction.\n${works('9002')}alter table example.book validate constraint has_title`,
  },
  titles: TITLES('select coalesce(title, name) from example.book'),
  write: `insert into example.book (title) values ('migrate')`,
};
const contract: Version = {
  migrations: { ...migrate.migrations, '9005_contract': `${works('9004')}alter table example.book drop column name` },
  titles: TITLES('select title from example.book'),
  write: `insert into example.book (title) values ('contract')`,
};

it('a column becomes another in three versions, and with each of them servers of the one before go on', async () => {
  const client = await connect();
  const start = async ({ migrations, titles }: Version) => {
    const next = await withMore(migrations);
    await mkdir(join(next, 'functions/example'), { recursive: true });
    await writeFile(join(next, 'functions/example/titles.sql'), titles);
    await migrateDatabase(url, { folder: next });
  };
  const titles = async () =>
    (await client.query('select * from example.titles() title')).rows.map(({ title }) => title);

  await start(before);
  await client.query(before.write);
  await start(expand);
  await client.query(before.write);
  await client.query(expand.write);
  await start(before);
  expect(await titles()).toEqual(['before', 'before', 'expand']); // by the newer function, which the older server left
  await start(migrate);
  await client.query(expand.write);
  await client.query(migrate.write);
  await client.query('update example.book set title = name where title is null'); // a worker, in batches
  await start(expand);
  await expect(start(before)).rejects.toThrow(
    'the database has the schema 9004_migrated, which this server does not work',
  );
  await start(contract);
  await client.query(migrate.write);
  await client.query(contract.write);
  await start(migrate);
  await expect(start(expand)).rejects.toThrow(
    'the database has the schema 9005_contract, which this server does not work',
  );
  expect(await titles()).toEqual(['before', 'before', 'expand', 'expand', 'migrate', 'migrate', 'contract']);
});

describe('functions', () => {
  it('are applied when their text has changed, and no other is touched', async () => {
    const client = await connect();
    // Whatever replaces a function gives it the usual cost again.
    await client.query(
      'alter function ledger.business_day(timestamptz) cost 7; alter function ledger.major(bigint) cost 7',
    );
    const next = await withMore({});
    const path = join(next, 'functions/ledger/business_day.sql');
    await writeFile(path, `-- Said otherwise.\n${await readFile(path, 'utf8')}`);
    await migrateDatabase(url, { folder: next });
    const { rows } = await client.query(
      `select proname, procost from pg_proc where oid in ('ledger.business_day(timestamptz)'::regprocedure, 'ledger.major(bigint)'::regprocedure) order by 1`,
    );
    expect(rows).toEqual([
      { proname: 'business_day', procost: 100 },
      { proname: 'major', procost: 7 },
    ]);
  });

  it('of a newer version stay when a server of this one starts', async () => {
    const client = await connect();
    await client.query(`comment on schema drizzle is 'functions and rights of version 987.6.5, of another digest'`);
    await assertMigrated(asServer(url));
    await migrateDatabase(url);
    const { rows } = await client.query(`select obj_description('drizzle'::regnamespace) as applied`);
    expect(rows).toEqual([{ applied: 'functions and rights of version 987.6.5, of another digest' }]);
  });
});

describe('a migration that lands after one behind it in the order was applied', () => {
  it('is pending by itself, and applied', async () => {
    await migrateDatabase(url, { folder: await withNext('select 1') });
    const late = await withLateAndNext('create table public.late (id int)', 'select 1');
    await migrateDatabase(url, { folder: late });
    await migrateDatabase(url, { folder: late });
    const client = await connect();
    const { rows } = await client.query(
      `select tag, to_regclass('public.late') is not null as made from drizzle.__drizzle_migrations order by id desc limit 2`,
    );
    expect(rows).toEqual([LATE, NEXT].map((tag) => ({ tag, made: true })));
  });

  it('and was applied by another version is one that this server must work with, wherever it stands', async () => {
    await migrateDatabase(url, { folder: await withLateAndNext('select 1', 'select 1') });
    const without = await withNext('select 1');
    await expect(migrateDatabase(url, { folder: without })).rejects.toThrow(`the database has the schema ${LATE}`);
  });
});

describe('while another process migrates', () => {
  it('a start waits, says so, and goes on when that has ended', async () => {
    const other = await connect();
    await other.query('select pg_advisory_lock(7236514021)');
    const [migrates, looks] = [listener(), listener()];
    const waitingFor = [migrateDatabase(url, { say: migrates.say }), assertMigrated(asServer(url), looks.say)];
    const said = [expect.stringMatching(/^waiting for another process that migrates this database/)];
    await eventually(() => expect([migrates.words, looks.words]).toEqual([said, said]));
    await other.query('select pg_advisory_unlock_all()');
    await Promise.all(waitingFor);
    expect([migrates.words, looks.words]).toEqual([said, said]);
  });
});

describe('a server of an older version, on a newer schema', () => {
  it('is refused in one line that says which schema it is and what to do', async () => {
    await migrateDatabase(url, { folder: await withNext('select 1') });
    const line = refusal(`a server that knows the schema ${NEXT}`);
    await expect(assertMigrated(asServer(url))).rejects.toThrow(line);
    await expect(migrateDatabase(url)).rejects.toThrow(line);
    const { code, stderr } = await runToEnd(['src/server.ts'], serverEnv(asServer(url)));
    expect([code, stderr.trimEnd()]).toEqual([1, expect.stringMatching(line)]);
  });

  it('is told to start the version that migrated it, where that is not its own', async () => {
    await migrateDatabase(url, { folder: await withNext('select 1') });
    const owner = await connect();
    await owner.query(`update drizzle.__drizzle_migrations set version = '987.6.5' where tag = '${NEXT}'`);
    await expect(assertMigrated(asServer(url))).rejects.toThrow(refusal('version 987\\.6\\.5 or a newer one'));
  });

  it('works where each newer migration says that servers of its own do, and not where one says so of later ones only', async () => {
    const { entries } = JSON.parse(await readFile(join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8'));
    const own = entries.at(-1).tag.slice(0, 4);
    await migrateDatabase(url, { folder: await withNext(`-- Servers from ${own} on work with it.\nselect 1`) });
    await assertMigrated(asServer(url));
    await migrateDatabase(url);
    url = asOwner(await createDatabase());
    await migrateDatabase(url, { folder: await withNext('-- Servers from 9999 on work with it.\nselect 1') });
    await expect(assertMigrated(asServer(url))).rejects.toThrow('does not work with');
  });
});
