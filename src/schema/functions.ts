import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { sha256 } from '#lib/crypto/digest.ts';
import { type Say, withoutQueueing } from './without-queueing.ts';

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

/** A trigger of a file of ours begins so; what makes a constraint trigger stands behind what drops it. */
const TRIGGER = /^(?=create or replace trigger|drop trigger)/m;

/**
 * Applies the functions whose text is not the one that was applied last: in one transaction, so that a function becomes another
 * one for all callers at once. Their order is of no matter, because a body is looked at when it first runs. Then their triggers,
 * each in a transaction of its own: it locks one table alone, so that no posting, which writes several, waits with it in a circle.
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
