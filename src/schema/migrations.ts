import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { z } from 'zod';
import { sha256 } from '#lib/crypto/digest.ts';
import { projectFile } from '#lib/files.ts';
import { InstallationMismatch } from '#modules/keys';
import { version } from '../version.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(projectFile('migrations'));

/** One file of migrations/. */
export interface Migration {
  /** Its name without .sql, e.g. 0000_baseline. */
  readonly tag: string;
  /** Its place in the order of all. */
  readonly when: number;
  /** Of its text, as drizzle-orm stores it. */
  readonly hash: string;
  readonly statements: readonly string[];
  /** Each statement runs alone and may be repeated: for indexes that are created while the table is written to. */
  readonly isOutsideTransaction: boolean;
  /** Servers with this migration or a later one as their last work with the schema; undefined: no earlier server does. */
  readonly worksFrom: number | undefined;
}

/** Comments of a migration with a meaning. migrations/README.md says when to write each. */
const OUTSIDE_TRANSACTION = /^-- Outside a transaction\b/m;
const WORKS_FROM = /^-- Servers from (\d{4}) on work with it\.$/m;
const BREAKPOINT = '--> statement-breakpoint';

const journal = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })) });

/** The migrations of a folder, in their order. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const { entries } = journal.parse(JSON.parse(await readFile(`${folder}/meta/_journal.json`, 'utf8')));
  const whens = new Map(entries.map(({ tag, when }) => [tag.slice(0, 4), when]));
  return Promise.all(
    entries.map(async ({ tag, when }): Promise<Migration> => {
      const text = await readFile(`${folder}/${tag}.sql`, 'utf8');
      const from = WORKS_FROM.exec(text)?.[1];
      if (from !== undefined && !whens.has(from))
        throw new Error(`${tag} names migration ${from}, which does not exist`);
      return {
        tag,
        when,
        hash: sha256(text).toString('hex'),
        statements: text.split(BREAKPOINT),
        isOutsideTransaction: OUTSIDE_TRANSACTION.test(text),
        worksFrom: from === undefined ? undefined : whens.get(from),
      };
    }),
  );
}

/** A migration in the database that this server does not have: of a newer version, or of another branch. */
interface Foreign {
  tag: string;
  version: string;
  /** Servers with this migration or a later one as their last work with it; null: no earlier server does. */
  works_from: string | null;
}

/**
 * Compares the migrations of a database with ours, one by one: one that was merged late from another branch is pending although a later
 * one was applied.
 */
export async function findApplied(
  client: Client,
  ours: readonly Migration[],
): Promise<{ pending: Migration[]; foreign: Foreign[] }> {
  const { rows: table } = await client.query(`select to_regclass('drizzle.__drizzle_migrations') as migrations`);
  if (table[0]?.migrations === null) return { pending: [...ours], foreign: [] };
  const { rows } = await client.query<Foreign & { hash: string; when: string }>(
    'select hash, created_at as when, tag, version, works_from from drizzle.__drizzle_migrations order by created_at',
  );
  assertMadeByOurs(rows[0]?.hash, ours);
  const applied = new Set(rows.map(({ when }) => Number(when)));
  const known = new Set(ours.map(({ when }) => when));
  return {
    pending: ours.filter(({ when }) => !applied.has(when)),
    foreign: rows.filter(({ when }) => !known.has(Number(when))),
  };
}

/**
 * Refuses a database of an unreleased version, by the digest of the first migration. Otherwise only the numbers are compared, nothing
 * would be pending, and the server would start on the wrong tables.
 */
function assertMadeByOurs(first: string | undefined, [ours]: readonly Migration[]): void {
  if (first === undefined || first === ours?.hash) return;
  throw new InstallationMismatch(
    'this database is from an unreleased version: give an empty one (DATABASE_URL), or remove the folder of the embedded one (DATA_DIR)',
  );
}

/**
 * Checks that this server works with the migrations that it does not have. Each migration says which servers work with it.
 *
 * @throws InstallationMismatch when one of them does not work with this server
 */
export function assertWorksWith(foreign: readonly Foreign[], ours: readonly Migration[]): void {
  const last = ours.at(-1);
  const other = foreign.findLast(({ works_from: from }) => from === null || Number(from) > (last?.when ?? 0));
  if (other === undefined) return;
  throw new InstallationMismatch(
    `the database has the schema ${other.tag}, which this server does not work with (version ${version}, schema ${last?.tag}): start ${serverWith(other)}, or give it a database from before that migration`,
  );
}

/** Names a server that has the migration. Between two releases one version number has several schemas, so the schema is named instead. */
function serverWith({ tag, version: made }: Foreign): string {
  if (made !== version) return `version ${made} or a newer one`;
  return `a server that knows the schema ${tag}`;
}

/** Creates the tables that record what was applied: drizzle-orm's with columns of ours, and one for functions. */
export async function prepareTables(client: Client): Promise<void> {
  await client.query(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint, tag text not null, version text not null, works_from bigint);
    create table if not exists drizzle.functions (name text primary key, hash text not null)`);
}

/** Records that a migration was applied. */
export async function recordApplied(client: Client, { hash, when, tag, worksFrom }: Migration): Promise<void> {
  await client.query(
    'insert into drizzle.__drizzle_migrations (hash, created_at, tag, version, works_from) values ($1, $2, $3, $4, $5)',
    [hash, when, tag, version, worksFrom ?? null],
  );
}
