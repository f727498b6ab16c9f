import pg from 'pg';
import { expect, it } from 'vitest';
import { migrateDatabase } from '../../../src/migrate.ts';
import { asOwner, createDatabase } from '../../support/database.ts';

it('a database that other migrations made is refused in one line, and one of ours is not', async () => {
  const url = asOwner(await createDatabase());
  await expect(migrateDatabase(url)).resolves.toBeUndefined();

  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`update drizzle.__drizzle_migrations set hash = 'of another file'`);
  await client.end();
  await expect(migrateDatabase(url)).rejects.toThrow(/^this database is from an unreleased version: [^\n]+$/);
});
