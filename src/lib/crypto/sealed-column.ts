/** A column whose values are sealed, each for its row. Each room names its own. */
export interface SealedColumn {
  /** With its schema, e.g. `customers.customer`. */
  readonly table: string;
  readonly column: string;
  /**
   * The columns that say which row it is and whose: a value opens in the row that has these, and in no other. None of them
   * ever changes.
   */
  readonly row: readonly string[];
}

/** A value of a column that is authenticated. */
export type Stored = string | number | bigint | boolean | Uint8Array | Date | readonly string[] | null | undefined;

/** What a row has in the columns that say which one it is, in their order. */
export type RowKey = readonly Stored[];

/** Such a value as a text: the same of what was written and of what the database gives back. */
export function authenticated(value: Stored): string | null {
  if (value == null) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return JSON.stringify(value);
  return String(value);
}

/** Where a value stands: its table, its column and its row. */
export function placeOf({ table, column, row }: SealedColumn, key: RowKey): string {
  if (key.length !== row.length) throw new Error(`${table}.${column} is sealed for ${row.join(', ')}`);
  return JSON.stringify([table, column, ...key.map(authenticated)]);
}

/**
 * A stored value is not the one that the server wrote: it was changed, or is another row's. The caller must not use the row: another
 * program wrote to the tables.
 */
export class AlteredRecord extends Error {
  override readonly name = 'AlteredRecord';

  /** Which one: the fact, or the column with its table, and what its row is known by. */
  readonly record: string;

  constructor(what: string, row: readonly (string | null)[], options?: ErrorOptions) {
    const record = `${what} of ${row.join(', ')}`;
    super(`${record} is not as we stored it: it was changed, or is another row's`, options);
    this.record = record;
  }
}
