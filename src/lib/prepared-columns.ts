import { type SQL, sql } from '#drizzle';
import type { PgColumn, PgTable } from '#drizzle/pg-core';
import type { Database, Executor } from './database.ts';
import { type Given, nameAfter, type Prepared, prepared } from './prepared.ts';

/** Stands for the value of each column that a call gives, for `values` and `set`. */
export type Written<Columns> = { [Name in keyof Columns]: SQL };

/**
 * A statement that writes the columns which a call gives: of what is undefined it says nothing. It is built once for each set
 * of columns, when that is first needed, and prepared as `prepared` does. Code gives few sets: never columns that a caller chooses
 * freely.
 *
 * @param name of this statement and no other: room and what it writes
 * @param build makes the statement: `db.update(session).set(written).where(eq(session.id, given.id))`
 */
export function preparedColumns<Columns extends object, Values extends object, Result>(
  name: string,
  table: PgTable,
  build: (
    db: Database,
    written: Written<Columns>,
    given: Given<Values>,
  ) => { prepare(name: string): { execute(values?: object): Promise<Result> } },
): (on: Executor, columns: Columns, values: Values) => Promise<Result> {
  const statements = new Map<string, Prepared<object, Result>>();
  const columnsOf = table as unknown as Record<string, PgColumn>;

  function prepare(key: string, names: readonly string[]): Prepared<object, Result> {
    const placed = names.map((column) => [column, placeholderOf(column, columnsOf[column])]);
    const written = Object.fromEntries(placed) as Written<Columns>;
    return prepared(nameAfter(name, key), (db, given) => build(db, written, given as Given<Values>));
  }

  return (on, columns, values) => {
    const entries = Object.entries(columns).filter(([, value]) => value !== undefined);
    const names = entries.map(([column]) => column).toSorted();
    const key = names.join();
    let run = statements.get(key);
    if (run === undefined) statements.set(key, (run = prepare(key, names)));
    return run(on, { ...values, ...Object.fromEntries(entries.map(([column, value]) => [VALUE + column, value])) });
  };
}

/** Columns may be called as values are that the rest of a statement is given. */
const VALUE = 'value of ';

/** drizzle asks the column how to write a value, and most columns cannot write null. */
function placeholderOf(name: string, column: PgColumn | undefined): SQL {
  if (column === undefined) throw new Error(`there is no column ${name}`);
  const value = sql.placeholder(VALUE + name);
  const encoder = { mapToDriverValue: (one: unknown) => (one === null ? null : column.mapToDriverValue(one)) };
  return sql`${sql.param(value, encoder)}`;
}
