import { readFileSync } from 'node:fs';
import { Client } from 'pg';

/** The dump that is kept for readers. */
export const DUMP = new URL('../../../migrations/schema.sql', import.meta.url);

const HEADER =
  '-- The tables of a migrated database, for readers. Written by `npm run db:dump`; nothing loads it. Functions and triggers are in functions/, rights in rights.sql.';
const QUERY = readFileSync(new URL('dump.sql', import.meta.url), 'utf8');

/** The tables of a database as SQL, the same for every database that the same migrations made. */
export async function dumpSchema(connectionString: string): Promise<string> {
  const client = new Client({ connectionString, options: '-c search_path=' });
  await client.connect();
  try {
    const { rows } = await client.query<{ text: string }>(QUERY);
    return `${[HEADER, ...rows.map(({ text }) => text)].join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}
