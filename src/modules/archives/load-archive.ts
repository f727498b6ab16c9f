import { join } from 'node:path';
import type { Database } from '#lib/database.ts';
import { digestFile, readLines } from './files.ts';
import { FILES, readManifest } from './manifest.ts';
import { allowLongStatements, createTable, insertLines } from './store.ts';

/** Lines in one statement. */
const AT_ONCE = 5_000;

/**
 * Reads the entries of an archive back into a new table beside those of the books, all or none: for questions about a month that is
 * closed. Nothing of the books reads it, and it may be dropped at any time.
 *
 * @returns the table, and how many entries it has
 * @throws Error when the file is not the one of the manifest, or the table is there
 */
export async function loadArchive(
  { db }: { db: Database },
  directory: string,
): Promise<{ table: string; entries: number }> {
  const { manifest } = await readManifest(directory);
  const path = join(directory, FILES.entries);
  if ((await digestFile(path)).sha256 !== manifest.files.entries.sha256) {
    throw new Error(`${path} is not the file of the manifest: it was changed or cut`);
  }
  const name = `loaded_${manifest.part}`;
  const entries = await db.transaction(async (tx) => {
    await allowLongStatements(tx);
    await createTable(tx, name);
    let loaded = 0;
    let lines: string[] = [];
    const flush = async (): Promise<void> => {
      await insertLines(tx, name, lines);
      loaded += lines.length;
      lines = [];
    };
    let isHead = true;
    for await (const line of readLines(path)) {
      if (!isHead) lines.push(line);
      isHead = false;
      if (lines.length === AT_ONCE) await flush();
    }
    await flush();
    return loaded;
  });
  return { table: `ledger.${name}`, entries };
}
