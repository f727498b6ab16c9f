import { Client } from 'pg';

/** Asks a database one thing, on a connection of its own. Resolves to the rows. */
export async function queryAs<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}
