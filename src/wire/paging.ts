import { z } from 'zod';
import type { Listed } from '#lib/postgres/lists.ts';
import { BYTE_ORDER_MARK, csvLine } from '#lib/text/output.ts';
import { optional, text } from './text.ts';

const LIMIT_DEFAULT = 20;

const LIMIT_MAX = 100;

/** Beyond every list, and a number that JavaScript and PostgreSQL add to without loss. */
const OFFSET_MAX = 1_000_000_000_000_000;

/** A whole number from a query: above the greatest it counts as the greatest. */
export const whole = (fallback: number, max: number, min: 0 | 1 = 0) =>
  z
    .string()
    .regex(min === 0 ? /^\d+$/ : /^0*[1-9]\d*$/, `must be a whole number of at least ${min}`)
    .transform((digits) => Math.min(Number(digits), max))
    .default(fallback)
    .meta({ type: 'integer', format: max <= LIMIT_MAX ? 'int32' : 'int64', minimum: min });

/** A number above the greatest counts as the greatest, and is shown so: 100 for `limit`, an empty page for `offset`. */
export const paging = z.object({ limit: whole(LIMIT_DEFAULT, LIMIT_MAX), offset: whole(0, OFFSET_MAX) });

/** How a list's key is written in a cursor. */
interface KeyText<Key> {
  write(key: Key): string;
  /** Undefined for what is no such key. */
  read(text: string): Key | undefined;
}

/** Of lists whose items have a UUID. */
export const uuidKey: KeyText<string> = {
  write: (id) => id,
  read: (written) => z.uuid().safeParse(written).data,
};

/** Of lists whose items are numbered. */
export const numberKey: KeyText<number> = {
  write: String,
  read: (written) => (/^[1-9]\d{0,14}$/.test(written) ? Number(written) : undefined),
};

/** The years that PostgreSQL reads as we write them end with 9999. */
const MOMENT_MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const momentAnd = (isId: (text: string) => boolean): KeyText<{ at: Date; id: string }> => ({
  write: ({ at, id }) => `${at.getTime()} ${id}`,
  read: (written) => {
    const [, ms, id] = /^(\d{1,15}) (\S+)$/.exec(written) ?? [];
    return id !== undefined && Number(ms) <= MOMENT_MAX_MS && isId(id) ? { at: new Date(Number(ms)), id } : undefined;
  },
});

/** Of lists by a moment, and by a UUID where several have the same. */
export const momentKey = momentAnd((id) => z.uuid().safeParse(id).success);

/** The same, by a digest of 256 bits. */
export const momentDigestKey = momentAnd((id) => /^[\da-f]{64}$/.test(id));

/**
 * How a cursor encodes where a list continues.
 *
 * @param list names it, so that a cursor of another list is refused
 * @param source where callers find it, e.g. `nextCursor`
 */
export function cursorOf<Key>(list: string, key: KeyText<Key>, source: string) {
  const write = (next: Key): string => Buffer.from(`${list} ${key.write(next)}`).toString('base64url');
  const shape = text(200)
    .transform((given, context) => {
      const [name, ...rest] = Buffer.from(given, 'base64url').toString().split(' ');
      const found = name === list ? key.read(rest.join(' ')) : undefined;
      if (found !== undefined && write(found) === given) return found;
      context.addIssue({ code: 'custom', message: `must be the ${source} of a page of this list` });
      return z.NEVER;
    })
    .meta({ type: 'string' });
  return { shape, write };
}

/** The header `Link` (RFC 8288) of a page that another follows: the same request, with its cursor. @param url of the request */
export function nextLink(url: string, cursor: string): string {
  const query = new URLSearchParams(url.split('?')[1]);
  query.delete('offset');
  query.set('cursor', cursor);
  return `<?${query.toString()}>; rel="next"`;
}

/**
 * How a list is paged: `limit` and `offset`, or from page to page by `cursor`, which continues where the previous page ended,
 * whatever has been added at the top since.
 *
 * @param list names it, so that a cursor of another list is refused
 */
export function pagedBy<Key>(list: string, key: KeyText<Key>) {
  const { shape, write } = cursorOf(list, key, 'nextCursor');
  const cursor = shape.meta({
    type: 'string',
    description: 'nextCursor of the previous page: continues after it; offset counts from there',
  });
  return {
    query: paging.extend({ cursor: optional(cursor) }),
    /** The rows that were found for a request, in the list shape. */
    page: <Row, Item>(
      { items, count, countIsExact, next }: Listed<Row, Key>,
      { limit, offset }: z.output<typeof paging>,
      toItem: (row: Row) => Item,
    ) => ({
      items: items.map((row) => toItem(row)),
      count,
      countIsExact: countIsExact ? undefined : (false as const),
      limit,
      offset,
      nextCursor: next === undefined ? undefined : write(next),
    }),
  };
}

/** The list shape of the contract: `count` is the total, and exact. */
export const exactListOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    count: z.int().meta({ example: 1 }),
    limit: z.int().meta({ example: 20 }),
    offset: z.int().meta({ example: 0 }),
    nextCursor: z
      .string()
      .optional()
      .meta({ description: 'For the next page, as `cursor`; left out of the last', example: 'd2FsbGV0cyAxMg' }),
  });

/** The list shape: `count` is the total, estimated where there are more than ten thousand. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  exactListOf(item).extend({
    countIsExact: z
      .literal(false)
      .optional()
      .meta({ description: 'Where count is an estimate, of more than 10000; left out where it is exact' }),
  });

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
