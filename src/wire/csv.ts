import { z } from 'zod';

/** A column of a file: where its value stands in an item. */
type Path = readonly string[];

/** What a spreadsheet takes for a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;
/** What must stand in quotation marks (RFC 4180 2). */
const SPECIAL = /[",\r\n]/;

/**
 * Items of a shape as a file of comma-separated values (RFC 4180): a column for each member, `sender.name` for those of
 * members, whether an item has it or not. What is neither text, number nor boolean is JSON. Text that a spreadsheet would
 * run as a formula begins with an apostrophe.
 */
export function toCsv(shape: z.ZodObject, items: readonly unknown[]): string {
  const columns = columnsOf(shape);
  const rows = items.map((item) => columns.map((path) => cell(valueAt(item, path))));
  return [columns.map((path) => path.join('.')), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
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

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
