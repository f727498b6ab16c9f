import { z } from 'zod';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;

/** Beyond every list, and a number that JavaScript and PostgreSQL add to without loss. */
const OFFSET_MAX = 1_000_000_000_000_000;

const whole = (fallback: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number of at least 0')
    .transform((digits) => Math.min(Number(digits), max))
    .default(fallback)
    .meta({ type: 'integer', minimum: 0 });

/** A number above the greatest counts as the greatest, and is shown so: 100 for `limit`, an empty page for `offset`. */
export const paging = z.object({ limit: whole(LIMIT_DEFAULT, LIMIT_MAX), offset: whole(0, OFFSET_MAX) });

/** The list shape: `count` is the total. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), count: z.int(), limit: z.int(), offset: z.int() });

/** The rows that were found for a request, in the list shape. */
export const pageOf = <Row, Item>(
  { items, count }: { items: readonly Row[]; count: number },
  { limit, offset }: z.output<typeof paging>,
  toItem: (row: Row) => Item,
) => ({ items: items.map((row) => toItem(row)), count, limit, offset });
