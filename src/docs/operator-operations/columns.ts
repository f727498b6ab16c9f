import type { Column } from '#wire/operator-operations.ts';
import { kindOf, type Resolve, type Schema, shapesOf, valuesOf } from './schema.ts';

/** The columns of an answer: each member, those of its objects with their name before them, those of its lists within them. */
export function columnsOf(given: Schema, resolve: Resolve, under = ''): Column[] {
  const columns = new Map<string, Column>();
  for (const shape of shapesOf(given, resolve)) {
    for (const [member, schema] of Object.entries(shape.properties ?? {})) {
      for (const column of columnsOfMember(`${under}${member}`, schema, resolve)) {
        if (!columns.has(column.name)) columns.set(column.name, column);
      }
    }
  }
  return [...columns.values()];
}

function columnsOfMember(name: string, schema: Schema, resolve: Resolve): Column[] {
  const shapes = shapesOf(schema, resolve);
  const [first = {}] = shapes;
  if (first.properties !== undefined) return columnsOf(schema, resolve, `${name}.`);
  const values = valuesOf(shapes);
  const { description } = first;
  const inner = first.items === undefined ? [] : columnsOf(first.items, resolve);
  return [
    {
      name,
      kind: kindOf(first),
      ...(values === undefined ? {} : { values }),
      ...(description === undefined ? {} : { description }),
      ...(inner.length === 0 ? {} : { columns: inner }),
    },
  ];
}
