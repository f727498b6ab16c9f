import type { Keyring } from '#lib/crypto/keyring.ts';
import type { RowKey, SealedColumn } from '#lib/crypto/sealed-column.ts';
import { sealedColumns } from '../../src/rooms.ts';

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
