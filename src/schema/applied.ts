import type { Client } from 'pg';
import { InstallationMismatch } from '#modules/keys';
import { version } from '../version.ts';
import type { Migration } from './migrations.ts';

/** A migration that this server does not have, as it stands in the database: of a newer version, or of another one beside it. */
interface Foreign {
  tag: string;
  version: string;
  /** Servers whose last migration is this one or a later one work with it; null: none of before. */
  works_from: string | null;
}

/**
 * The migrations that were applied to a database. Each of ours is looked for by itself: one that landed later than its place in the order says, e.g. from another branch, is
 * pending although one behind it was applied.
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
 * Places are compared alone: on the tables of an older schema nothing would be found to apply, and the server would
 * start without what it needs. What is stored of the first migration is the digest of its file.
 */
function assertMadeByOurs(first: string | undefined, [ours]: readonly Migration[]): void {
  if (first === undefined || first === ours?.hash) return;
  throw new InstallationMismatch(
    'this database was made by an unreleased version: give an empty one (DATABASE_URL), or remove the folder of the embedded one (DATA_DIR)',
  );
}

/**
 * For a server that lacks some of what was applied. Each migration says which servers work with what it makes.
 *
 * @throws InstallationMismatch when one of them does not say so of this server
 */
export function assertWorksWith(foreign: readonly Foreign[], ours: readonly Migration[]): void {
  const last = ours.at(-1);
  const other = foreign.findLast(({ works_from: from }) => from === null || Number(from) > (last?.when ?? 0));
  if (other === undefined) return;
  throw new InstallationMismatch(
    `the database has the schema ${other.tag}, which this server does not work with (version ${version}, schema ${last?.tag}): start ${whatKnows(other)}, or give it a database from before that migration`,
  );
}

/** Between two releases servers of one version number know different schemas: the number of one's own tells nobody what to start. */
function whatKnows({ tag, version: made }: Foreign): string {
  if (made !== version) return `version ${made} or a newer one`;
  return `a server that knows the schema ${tag}`;
}

/** Makes the tables that record what was applied: drizzle-orm's with columns of ours, and one for the functions. */
export async function prepareTables(client: Client): Promise<void> {
  await client.query(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint, tag text not null, version text not null, works_from bigint);
    create table if not exists drizzle.functions (name text primary key, hash text not null)`);
}

/** Writes down that a migration was applied. */
export async function recordApplied(client: Client, { hash, when, tag, worksFrom }: Migration): Promise<void> {
  await client.query(
    'insert into drizzle.__drizzle_migrations (hash, created_at, tag, version, works_from) values ($1, $2, $3, $4, $5)',
    [hash, when, tag, version, worksFrom ?? null],
  );
}
