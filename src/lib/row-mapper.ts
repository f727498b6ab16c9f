import { Column, getTableName, is, SQL } from '#drizzle';

/** Turns a value of node-postgres into one of TypeScript. */
interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

/** A selected column or expression, and where its value stands in the object of a row, as drizzle-orm lists them. */
export interface SelectedField {
  readonly path: readonly string[];
  readonly field: unknown;
}

/** A value of an object inside of the row's: `{ wallet: { id } }`. */
interface Inner {
  /** The table of its columns, while it has columns of one table only. */
  table: string | undefined;
  /** Its first column. */
  first: number;
}

/**
 * Makes objects of rows as drizzle-orm does, with what is the same for every row worked out once: that takes most of the
 * time of a read of one row. What a left join did not find is null.
 *
 * @param notNullable tables that a join always finds, as drizzle-orm knows them; undefined without joins
 * @returns undefined where objects stand in objects of objects
 */
export function rowMapper<Row>(
  fields: readonly SelectedField[],
  notNullable: Readonly<Record<string, boolean>> | undefined,
): ((row: readonly unknown[]) => Row) | undefined {
  if (fields.some(({ path }) => path.length > 2)) return undefined;
  const steps = fields.map(({ path, field }) => {
    const [outer = '', inner] = path;
    return { outer, inner, decoder: decoderOf(field) };
  });
  const absent =
    notNullable === undefined ? [] : [...innersOf(fields)].filter(([, { table }]) => isOptional(table, notNullable));
  return (row) => {
    const made: Record<string, unknown> = {};
    for (let at = 0; at < steps.length; at += 1) {
      const step = steps[at];
      if (step === undefined) break;
      const raw = row[at];
      const value = raw === null ? null : step.decoder.mapFromDriverValue(raw);
      if (step.inner === undefined) made[step.outer] = value;
      else ((made[step.outer] ??= {}) as Record<string, unknown>)[step.inner] = value;
    }
    for (const [name, { first }] of absent) if (row[first] === null) made[name] = null;
    return made as Row;
  };
}

const isOptional = (table: string | undefined, notNullable: Readonly<Record<string, boolean>>): boolean =>
  table !== undefined && notNullable[table] !== true;

function innersOf(fields: readonly SelectedField[]): Map<string, Inner> {
  const inners = new Map<string, Inner>();
  for (const [at, { path, field }] of fields.entries()) {
    if (path.length !== 2 || !is(field, Column)) continue;
    const [name = ''] = path;
    const table = getTableName(field.table);
    const inner = inners.get(name);
    if (inner === undefined) inners.set(name, { table, first: at });
    else if (inner.table !== table) inner.table = undefined;
  }
  return inners;
}

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field;
  const expression = is(field, SQL) ? field : (field as { sql: SQL }).sql;
  return (expression as unknown as { decoder: Decoder }).decoder;
}
