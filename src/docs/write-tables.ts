import { readFile, writeFile } from 'node:fs/promises';
import { generated, withTables } from './tables.ts';

/** `npm run docs`: writes the tables of the guides that are made from the code. */
for (const [page, table] of Object.entries(generated)) {
  const file = new URL(page, import.meta.url);
  await writeFile(file, withTables(await readFile(file, 'utf8'), table));
}
