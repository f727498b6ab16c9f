import type { Pool } from 'pg';
import type { Keyring } from '#lib/crypto/keyring.ts';
import { authenticated, type RowKey, type SealedColumn } from '#lib/crypto/sealed-column.ts';
import type { StreamedInvariant } from '#lib/room.ts';

/** So many pages of a table are read in one step, and so many values of them written in one statement. */
const PAGES = 256;
const BATCH = 500;

const NAME = /^[a-z_]+(\.[a-z_]+)?$/;
/** The names are ours, and stand in the statement as they are. */
function named({ table, column, row }: SealedColumn): { table: string; column: string; key: string } {
  if (![table, column, ...row].every((name) => NAME.test(name))) throw new Error(`not a column: ${table} ${column}`);
  return { table, column, key: row.map((name, at) => `${name} as k${at}`).join(', ') };
}

/** What a row that was read has in the columns that say which one it is. */
type Keyed = { sealed: Buffer } & Record<`k${number}`, RowKey[number]>;
const keyOf = ({ row }: SealedColumn, read: Keyed): RowKey => row.map((_name, at) => read[`k${at}`] ?? null);

/** How many values of a column each key sealed. */
export async function countByKey(pool: Pool, where: SealedColumn): Promise<ReadonlyMap<number, number>> {
  const { table, column } = named(where);
  const { rows } = await pool.query<{ key: number; values: number }>(
    `select ('x' || encode(substring(${column} from 2 for 4), 'hex'))::bit(32)::integer as key, count(*)::integer as values
     from ${table} where length(${column}) > 5 group by 1`,
  );
  return new Map(rows.map(({ key, values }) => [key, values]));
}

/** What one pass over a column did. */
export interface Pass {
  sealed: number;
  /** Values that changed while they were sealed anew: whoever changed them sealed them, or the next pass does. */
  overtaken: number;
  /** Values that do not open with any of our keys: they stay as they are. */
  unreadable: number;
}

/**
 * Seals with the current key what another one sealed, in small transactions, from the first page of the table to the last. A
 * value is written only where it still is what was read, so that no change of anybody is lost.
 */
export async function sealAnew(
  { pool, keyring }: { pool: Pool; keyring: Keyring },
  where: SealedColumn,
  signal: AbortSignal,
): Promise<Pass> {
  const { table, column, key } = named(where);
  const done: Pass = { sealed: 0, overtaken: 0, unreadable: 0 };
  const size = await pool.query<{ pages: number }>(
    `select (pg_relation_size($1::regclass) / current_setting('block_size')::bigint)::integer as pages`,
    [table],
  );
  const pages = size.rows[0]?.pages ?? 0;
  for (let page = 0; page < pages && !signal.aborted; page += PAGES) {
    const { rows } = await pool.query<Keyed & { at: string }>(
      `select ctid::text as at, ${column} as sealed, ${key} from ${table}
       where ctid >= $1::tid and ctid < $2::tid and ${column} is not null and substring(${column} from 1 for 5) <> $3`,
      [`(${page},0)`, `(${page + PAGES},0)`, keyring.sealedPrefix],
    );
    for (let from = 0; from < rows.length && !signal.aborted; from += BATCH) {
      const batch = rows.slice(from, from + BATCH).flatMap((one) => {
        const anew = sealedAnew(keyring, where, one);
        return anew === undefined ? [] : [{ at: one.at, sealed: one.sealed, anew }];
      });
      const read = Math.min(BATCH, rows.length - from);
      const { rowCount } = await pool.query(
        `update ${table} t set ${column} = v.anew
         from unnest($1::tid[], $2::bytea[], $3::bytea[]) v (at, sealed, anew)
         where t.ctid = any ($1::tid[]) and t.ctid = v.at and t.${column} = v.sealed`,
        [batch.map(({ at }) => at), batch.map(({ sealed }) => sealed), batch.map(({ anew }) => anew)],
      );
      done.sealed += rowCount ?? 0;
      done.overtaken += batch.length - (rowCount ?? 0);
      done.unreadable += read - batch.length;
    }
  }
  return done;
}

function sealedAnew(keyring: Keyring, where: SealedColumn, read: Keyed): Buffer | undefined {
  const row = keyOf(where, read);
  try {
    return keyring.seal(where, row, keyring.open(where, row, read.sealed));
  } catch {
    return undefined; // of another row, or sealed by somebody else
  }
}

/** Of each column, whether its values open in their rows: what was copied from another row, or changed, does not. */
export const sealedValuesOpen = (keyring: Keyring, columns: readonly SealedColumn[]): StreamedInvariant => ({
  name: 'sealed_values_open',
  promise: 'everything that is sealed was sealed by us for the row that it stands in',
  wholeOnly: 'nothing says when a value was sealed',
  async *find(reader) {
    for (const where of columns) {
      const { table, column, key } = named(where);
      const rows = reader.stream<Keyed>(`select ${column} as sealed, ${key} from ${table} where ${column} is not null`);
      for await (const read of rows) {
        const row = keyOf(where, read);
        try {
          keyring.open(where, row, read.sealed);
        } catch {
          const whose = where.row.map((name, at) => [name, authenticated(row[at])]);
          yield { table, column, ...Object.fromEntries(whose) };
        }
      }
    }
  },
});
