import { expect } from 'vitest';
import type { TestApp } from './app.ts';

/** Every value of every table of ours, as text, with bytes also as the text they would be. */
export async function everythingStored({ owner: pool }: Pick<TestApp, 'owner'>): Promise<string> {
  const { rows: tables } = await pool.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const dumps = await Promise.all(tables.map(({ name }) => pool.query(`select * from ${name}`)));
  const values = dumps.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row)));
  expect(values.length).toBeGreaterThan(100);
  return values.map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value))).join('\n');
}
