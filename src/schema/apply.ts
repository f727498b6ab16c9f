import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { sha256 } from '#lib/crypto/digest.ts';
import { CannotStart } from '#lib/domain-error.ts';
import { randomFraction } from '#lib/random.ts';
import { type Migration, recordApplied } from './migrations.ts';

/** Applies and records one migration: in one transaction, or statement by statement where the migration says so. */
export async function applyMigration(client: Client, migration: Migration, say: Say): Promise<void> {
  const what = `migration ${migration.tag}`;
  if (migration.isOutsideTransaction) {
    say(`${what} runs without blocking requests; it may take long`);
    await client.query('set lock_timeout = 0');
    for (const statement of migration.statements) await runAlone(client, statement);
    await recordApplied(client, migration);
    return;
  }
  await withoutQueueing(client, { what, say }, async () => {
    for (const statement of migration.statements) await client.query(statement);
    await recordApplied(client, migration);
  });
}

/** Names the index and its table, with the schema of both. */
const CREATE_INDEX =
  /^[ \t]*create +(?:unique +)?index +concurrently +if +not +exists +"?(?<index>\w+)"? +on +"?(?<schema>\w+)"?\."?\w+"?/im;

/**
 * Runs a statement that waits for others and blocks none, so it needs no lock timeout. An INVALID index of an interrupted run would count
 * as existing, so it is dropped first.
 */
async function runAlone(client: Client, statement: string): Promise<void> {
  const { index, schema } = CREATE_INDEX.exec(statement)?.groups ?? {};
  if (index !== undefined) {
    const name = `${client.escapeIdentifier(schema ?? '')}.${client.escapeIdentifier(index)}`;
    const { rows } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [
      name,
    ]);
    if (rows.length > 0) await client.query(`drop index concurrently ${name}`);
  }
  await client.query(statement);
}

/** One file of migrations/functions: a function, and the triggers that call it. */
interface FunctionFile {
  /** Its path in that folder without .sql, which is the name of the function: ledger/post. */
  readonly name: string;
  readonly text: string;
  readonly hash: string;
}

/** The functions of a folder of migrations, by name. */
export async function readFunctions(folder: string): Promise<FunctionFile[]> {
  const root = join(folder, 'functions');
  const paths = globSync('*/*.sql', { cwd: root }).toSorted();
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(root, path), 'utf8');
      return { name: path.slice(0, -'.sql'.length), text, hash: sha256(text).toString('hex') };
    }),
  );
}

/** The start of a trigger in a file of ours; a constraint trigger is dropped before it is created. */
const TRIGGER = /^(?=create or replace trigger|drop trigger)/m;

/**
 * Applies the functions whose text has changed, in one transaction: callers never see a mix. Their order does not matter, because
 * PostgreSQL reads a body when it first runs. Then applies their triggers, each in its own transaction: it locks one table only, so it
 * cannot deadlock with a posting, which writes several.
 */
export async function applyFunctions(client: Client, folder: string, say: Say): Promise<void> {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from drizzle.functions');
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const changed = (await readFunctions(folder)).filter(({ name, hash }) => applied.get(name) !== hash);
  const parts = changed.map(({ text }) => text.split(TRIGGER));
  await withoutQueueing(client, { what: 'applying functions', say }, async () => {
    await client.query('set local check_function_bodies = off');
    for (const [made = ''] of parts) await client.query(made);
  });
  for (const trigger of parts.flatMap(([, ...triggers]) => triggers)) {
    await withoutQueueing(client, { what: 'applying a trigger', say }, async () => {
      await client.query(trigger);
    });
  }
  await client.query(
    `insert into drizzle.functions (name, hash) select * from unnest($1::text[], $2::text[])
     on conflict (name) do update set hash = excluded.hash`,
    [changed.map(({ name }) => name), changed.map(({ hash }) => hash)],
  );
}

/** Reports the progress of a migration, one line at a time. */
export type Say = (words: string) => void;

/** The longest wait for a lock: statements on the table queue behind it. */
const LOCK_TIMEOUT_S = 2;
const TRIES_MAX = 40;
const BACKOFF_BASE_MS = 250;
const BACKOFF_MAX_MS = 15_000;
const JITTER = 0.2;

/** PostgreSQL's codes for a lock timeout and a deadlock. */
const NOT_LOCKED = new Set(['55P03', '40P01']);

/**
 * Runs `work` in a transaction that gives up when it does not get a lock within two seconds, and retries with backoff, so that other
 * statements on the table are not blocked.
 *
 * @param about `what`: its name in messages
 * @throws CannotStart after forty tries
 */
export async function withoutQueueing(client: Client, about: About, work: () => Promise<void>): Promise<void> {
  await giveWay(client, about, async () => {
    await client.query('begin');
    try {
      await work();
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined); // the first error says more
      throw error;
    }
  });
}

interface About {
  readonly what: string;
  readonly say: Say;
}

/** The same for work that has its own transactions and may be repeated. */
export async function giveWay(client: Client, { what, say }: About, work: () => Promise<void>): Promise<void> {
  await client.query(`set lock_timeout = '${LOCK_TIMEOUT_S}s'`);
  for (let tried = 1; ; tried += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const { code, message } = error as { code?: string; message?: string };
      if (code === undefined || !NOT_LOCKED.has(code)) throw error;
      if (tried === TRIES_MAX) throw tooBusy(what, error);
      const delayMs = Math.min(BACKOFF_BASE_MS * 2 ** (tried - 1), BACKOFF_MAX_MS) * (1 + JITTER * randomFraction());
      say(
        `${what}: a table is in use (${message}); retrying in ${(delayMs / 1000).toFixed(1)} s (try ${tried} of ${TRIES_MAX})`,
      );
      await sleep(delayMs);
    }
  }
}

const tooBusy = (what: string, cause: unknown) =>
  new CannotStart(
    `${what} failed ${TRIES_MAX} times because a table was in use; nothing was changed. Look in pg_stat_activity for a long transaction (a backup, a report), and migrate again when it has ended`,
    { cause },
  );
