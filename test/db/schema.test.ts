import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { DUMP, dumpSchema } from './schema/dump-schema.ts';

const database = useDatabase();

it('migrations/schema.sql is the schema of a migrated database', async () => {
  expect(await dumpSchema(database.url), 'run npm run db:dump').toBe(await readFile(DUMP, 'utf8'));
});
