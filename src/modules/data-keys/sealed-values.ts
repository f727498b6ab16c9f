import type { Pool } from 'pg';
import type { Keyring } from '#lib/crypto/keyring.ts';
import type { SealedColumn } from '#lib/crypto/sealed-column.ts';

/** So many pages of a table are read in one step, and so many values of them written in one statement. */
const PAGES = 256;
const BATCH = 500;

const NAME = /^[a-z_]+(\.[a-z_]+)?$/;
/** The names are ours, and stand in the statement as they are. */
function named({ table, column }: SealedColumn): { table: string; column: string } {
  if (!NAME.test(table) || !NAME.test(column)) throw new Error(`not a column: ${table} ${column}`);
  return { table, column };
}

/** How many values of a column each key sealed. A value that is older than the names of keys is the first one's. */
export async function countByKey(pool: Pool, where: SealedColumn): Promise<ReadonlyMap<number, number>> {
  const { table, column } = named(where);
  const { rows } = await pool.query<{ key: number; values: number }>(
    `select case when get_byte(${column}, 0) = 1 then 1 else ('x' || encode(substring(${column} from 2 for 4), 'hex'))::bit(32)::integer end as key,
       count(*)::integer as values
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
  const { table, column } = named(where);
  const done: Pass = { sealed: 0, overtaken: 0, unreadable: 0 };
  const size = await pool.query<{ pages: number }>(
    `select (pg_relation_size($1::regclass) / current_setting('block_size')::bigint)::integer as pages`,
    [table],
  );
  const pages = size.rows[0]?.pages ?? 0;
  for (let page = 0; page < pages && !signal.aborted; page += PAGES) {
    const { rows } = await pool.query<{ at: string; sealed: Buffer }>(
      `select ctid::text as at, ${column} as sealed from ${table}
       where ctid >= $1::tid and ctid < $2::tid and ${column} is not null and substring(${column} from 1 for 5) <> $3`,
      [`(${page},0)`, `(${page + PAGES},0)`, keyring.sealedPrefix],
    );
    for (let from = 0; from < rows.length && !signal.aborted; from += BATCH) {
      const batch = rows.slice(from, from + BATCH).flatMap(({ at, sealed }) => {
        const anew = sealedAnew(keyring, where, sealed);
        return anew === undefined ? [] : [{ at, sealed, anew }];
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

function sealedAnew(keyring: Keyring, { purpose }: SealedColumn, sealed: Buffer): Buffer | undefined {
  for (const one of [purpose].flat()) {
    try {
      return keyring.seal(one, keyring.open(one, sealed));
    } catch {
      // sealed for another purpose, or by somebody else
    }
  }
  return undefined;
}
