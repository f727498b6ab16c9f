import type { Pool } from 'pg';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { columnNamed, routingMacOf, type Vouched } from '#lib/crypto/routing-facts.ts';
import type { RowKey, SealedColumn } from '#lib/crypto/sealed-column.ts';
import { createLog } from '#lib/log.ts';
import { openDatabase } from '#lib/postgres/database.ts';
import { openKeyring } from '#modules/keys';
import { masterRootKey } from '../../src/providers/kms/open-root-keys.ts';
import { routingFacts, sealedColumns } from '../../src/rooms.ts';
import { MASTER_KEY } from './process.ts';

/** A column whose values are sealed, by its table and name, e.g. `terminals.terminal.phone_sealed`. */
export function sealedColumn(name: string): SealedColumn {
  const found = sealedColumns.find(({ table, column }) => `${table}.${column}` === name);
  if (found === undefined) throw new Error(`${name} is not sealed`);
  return found;
}

/** What is sealed in a column, each value opened for its row. */
export async function openAll(
  pool: { query(text: string): Promise<{ rows: Record<string, unknown>[] }> },
  keyring: Keyring,
  where: SealedColumn,
): Promise<string[]> {
  const { table, column, row } = where;
  const { rows } = await pool.query(
    `select ${column} as sealed, ${row.join(', ')} from ${table} where ${column} is not null`,
  );
  return rows.map((read) => keyring.open(where, row.map((name) => read[name]) as RowKey, read.sealed as Buffer));
}

const BATCH = 10_000;

/** Gives rows that no operation wrote the MACs that an operation would have: those whose MAC is a zero byte. */
export async function vouchRows(owner: Pick<Pool, 'query'>, keyring: Keyring): Promise<void> {
  for (const facts of routingFacts) {
    const columns = facts.columns.map((column) => `${columnNamed(column)} as "${column}"`).join(', ');
    const { rows } = await owner.query<Vouched<typeof facts> & { at: string }>(
      `select ctid::text as at, ${columns}, routing_mac as "routingMac" from ${facts.table} where routing_mac = '\\x00'`,
    );
    for (let from = 0; from < rows.length; from += BATCH) {
      const batch = rows.slice(from, from + BATCH);
      await owner.query(
        `update ${facts.table} t set routing_mac = v.mac from unnest($1::tid[], $2::bytea[]) v (at, mac)
           where t.ctid = any ($1::tid[]) and t.ctid = v.at`,
        [batch.map(({ at }) => at), batch.map((row) => routingMacOf(keyring, facts, row))],
      );
    }
  }
}

/** The keyring of the processes that tests start, as their database keeps it. */
export async function keyringOf(databaseUrl: string): Promise<Keyring> {
  const handle = openDatabase(databaseUrl, 1, () => {});
  const roots = [masterRootKey(Buffer.from(MASTER_KEY, 'hex'))] as const;
  const opened = await openKeyring({ db: handle.db, roots, log: createLog('silent') });
  await opened.close();
  await handle.close();
  return opened.keyring;
}
