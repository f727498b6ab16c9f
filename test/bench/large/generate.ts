import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { vouchRows } from '../../support/sealed.ts';

const LARGE = new URL('large.sql', import.meta.url);
const LISTS = new URL('lists.sql', import.meta.url);

/**
 * Fills a database that has at least one partner with a wallet, and two applications, as years of use would. At scale 1 that
 * is ten million entries, a million customers with PayTag and wallet each, and five million deliveries.
 *
 * @param owner a pool that logs in as a superuser: triggers and checks are left out
 * @param keyring of the server that reads what is made
 * @param withLists also what is there for operators' lists alone
 * @param isAnalyzed false leaves PostgreSQL to find out by itself how much there is
 */
export async function generateLargeSet(
  owner: Pool,
  keyring: Keyring,
  scale: number,
  { withLists = false, isAnalyzed = true } = {},
): Promise<void> {
  const files = await Promise.all((withLists ? [LARGE, LISTS] : [LARGE]).map((file) => readFile(file, 'utf8')));
  const statements = files.flatMap((text) => text.split(/;\n/)).filter((one) => one.trim() !== '');
  const client = await owner.connect();
  try {
    await client.query(
      `select set_config('bench.scale', $1, false), set_config('session_replication_role', 'replica', false)`,
      [String(scale)],
    );
    await client.query(`set work_mem = '256MB'; set temp_buffers = '256MB'`);
    for (const statement of statements) await client.query(statement);
  } finally {
    client.release(true);
  }
  await vouchRows(owner, keyring);
  if (isAnalyzed) await owner.query('vacuum analyze');
}
