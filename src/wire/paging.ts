import { z } from 'zod';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;

const whole = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number of at least 0')
    .transform(Number)
    .default(fallback)
    .meta({ type: 'integer', minimum: 0 });

/** `limit` above 100 counts as 100 and is shown so. */
export const paging = z.object({
  limit: whole(LIMIT_DEFAULT).transform((limit) => Math.min(limit, LIMIT_MAX)),
  offset: whole(0),
});

/** The list shape: `count` is the total. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), count: z.int(), limit: z.int(), offset: z.int() });

/** The rows that were found for a request, in the list shape. */
export const pageOf = <Row, Item>(
  { items, count }: { items: readonly Row[]; count: number },
  { limit, offset }: z.output<typeof paging>,
  toItem: (row: Row) => Item,
) => ({ items: items.map((row) => toItem(row)), count, limit, offset });
