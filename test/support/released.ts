import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { writeRows } from '../released/stored-rows.ts';
import { createEmptyDatabase } from './database.ts';
import { migrateUpTo } from './released-database.ts';

const KEPT = fileURLToPath(new URL('../released', import.meta.url));
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

const named = async (suffix: string): Promise<string[]> =>
  (await readdir(KEPT)).filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));

/** The schemas whose demo is kept, by their last migration, the oldest first. */
export const keptSchemas = async (): Promise<string[]> =>
  (await named('.rows.gz')).toSorted((a, b) => (a < b ? -1 : 1));

/** A new database with such a schema and its demo. Resolves to its owner's connection string. */
export async function databaseOf(schema: string): Promise<string> {
  const url = await createEmptyDatabase();
  await migrateUpTo(url, schema);
  await writeRows(url, gunzipSync(await readFile(join(KEPT, `${schema}.rows.gz`))).toString());
  return url;
}

/** The last migration of the release before this one, where its server works on the schema of this one: one at most. */
export async function previousServers(): Promise<string[]> {
  const kept = await named('.server.tgz');
  if (kept.length > 1) throw new Error('one server is kept');
  return kept;
}

/** The server of that release, in a folder of its own with the packages of this one. */
export async function previousServer(schema: string): Promise<{ folder: string; program: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'paytag-previous-'));
  await promisify(execFile)('tar', ['-xzf', join(KEPT, `${schema}.server.tgz`), '-C', folder]);
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  return { folder, program: join(folder, 'src/start.js') };
}
