import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { sha256 } from '#lib/crypto/digest.ts';

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

/**
 * Applies the functions whose text is not the one that was applied last. For a transaction: a function becomes another one for
 * all callers at once. Their order is of no matter, because a body is looked at when it first runs, and a trigger stands behind
 * its function in one file.
 */
export async function applyFunctions(client: Client, folder: string): Promise<void> {
  await client.query('set local check_function_bodies = off');
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from drizzle.functions');
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const changed = (await readFunctions(folder)).filter(({ name, hash }) => applied.get(name) !== hash);
  for (const { text } of changed) await client.query(text);
  await client.query(
    `insert into drizzle.functions (name, hash) select * from unnest($1::text[], $2::text[])
     on conflict (name) do update set hash = excluded.hash`,
    [changed.map(({ name }) => name), changed.map(({ hash }) => hash)],
  );
}
