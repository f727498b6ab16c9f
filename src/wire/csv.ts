import { z } from 'zod';
import { BYTE_ORDER_MARK, csvLine } from '#lib/text/output.ts';

/** A column of a file: where its value stands in an item. */
type Path = readonly string[];

/**
 * Items of a shape as a file for spreadsheets: a byte order mark, a header, and a line for each item ({@link csvLine}). A column for each
 * member, `sender.name` for those of members, whether an item has it or not. What is neither text, number nor boolean is JSON.
 */
export function toCsv(shape: z.ZodObject, items: readonly unknown[]): string {
  const columns = notWithId(columnsOf(shape));
  const rows = items.map((item) => columns.map((path) => plain(valueAt(item, path))));
  return BYTE_ORDER_MARK + [columns.map((path) => path.join('.')), ...rows].map(csvLine).join('');
}

/** A file that begins with `ID` is one of SYLK to Excel, which refuses to read it: another column stands first. */
function notWithId(columns: readonly Path[]): readonly Path[] {
  const [first, second, ...others] = columns;
  return first?.[0]?.startsWith('ID') === true && second !== undefined ? [second, first, ...others] : columns;
}

const columnsOf = (shape: z.ZodObject, under: Path = []): Path[] =>
  Object.entries(shape.shape).flatMap(([name, member]) => {
    const inner = plainOf(member as z.ZodType);
    return inner instanceof z.ZodObject ? columnsOf(inner, [...under, name]) : [[...under, name]];
  });

const plainOf = (shape: z.ZodType): z.ZodType =>
  shape instanceof z.ZodOptional || shape instanceof z.ZodNullable ? plainOf(shape.unwrap() as z.ZodType) : shape;

const valueAt = (item: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], item);

const plain = (value: unknown): string | number | boolean | null | undefined =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | number | boolean);
