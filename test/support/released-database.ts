import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '#drizzle/migrator';
import { drizzle } from '#drizzle/node-postgres';
import { prepareTable } from '../../src/schema/applied.ts';
import { applyMigration } from '../../src/schema/apply-migration.ts';
import { readMigrations } from '../../src/schema/migrations.ts';
import { newDatabaseFolder } from './memory.ts';

/** Applies the migrations to an empty database, up to and with the one of this name: the schema as it stood then. */
export async function migrateUpTo(url: string, last: string): Promise<void> {
  const folder = await newDatabaseFolder('paytag-released-');
  const client = new pg.Client({ connectionString: url });
  try {
    await cp(fileURLToPath(new URL('../../migrations', import.meta.url)), folder, { recursive: true });
    const path = join(folder, 'meta/_journal.json');
    const journal = JSON.parse(await readFile(path, 'utf8'));
    const count = journal.entries.findIndex(({ tag }: { tag: string }) => tag === last) + 1;
    await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
    await client.connect();
    const migrations = await readMigrations(folder);
    if (migrations.some(({ isOutsideTransaction }) => isOutsideTransaction)) {
      await prepareTable(client);
      for (const migration of migrations) await applyMigration(client, migration, () => undefined);
    } else {
      // as versions did that had no such migration
      await migrate(drizzle(client), { migrationsFolder: folder, migrationsSchema: 'drizzle' });
    }
  } finally {
    await client.end();
    await rm(folder, { recursive: true });
  }
}
