import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../../src/embedded/start-embedded.ts';
import { migrateDatabase } from '../../../src/migrate.ts';
import { DUMP, dumpSchema } from './dump-schema.ts';

const root = await mkdtemp(join(tmpdir(), 'paytag-schema-'));
const server = await startEmbedded(root);
try {
  const url = server.url('postgres');
  await migrateDatabase(url);
  await writeFile(DUMP, await dumpSchema(url));
} finally {
  await server.stop();
  await rm(root, { recursive: true, force: true });
}
