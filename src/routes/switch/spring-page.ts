import { z } from 'zod';

/** Paging as Spring Data reads it from a query and shows it in an answer (PageableHandlerMethodArgumentResolver, PageImpl). */
export interface SpringOrder<Property extends string> {
  property: Property;
  isDescending: boolean;
  ignoresCase: boolean;
}

export interface SpringPageable<Property extends string> {
  /** From 0. */
  page: number;
  size: number;
  sort: readonly SpringOrder<Property>[];
}

const SIZE_DEFAULT = 20;
const SIZE_MAX = 2000;
const INT_MAX = 2_147_483_647;

/** Of a parameter that stands several times, the first. */
const first = (given: string | string[] | undefined): string => (Array.isArray(given) ? given[0] : given) ?? '';

/** As Java reads an int, of which a negative one is 0; undefined when it is none. */
function javaInt(text: string): number | undefined {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Math.abs(value) <= INT_MAX ? Math.max(0, value) : undefined;
}

/** Unlike in Spring, a number that is too large for an int is not the first page: nothing is there. */
const pageOf = (text: string): number => javaInt(text) ?? (/^\+?\d+$/.test(text) ? INT_MAX : 0);
const sizeOf = (text: string): number => Math.min(javaInt(text) || SIZE_DEFAULT, SIZE_MAX);

interface RawOrder {
  property: string;
  isDescending: boolean;
  ignoresCase: boolean;
}

/** `property,property,asc|desc,ignorecase`: both words may be left out, and count only at the end. */
function ordersIn(text: string): RawOrder[] {
  const elements = text.split(',').filter((element) => element.replaceAll('.', '').trim() !== '');
  const ignoresCase = /^ignorecase$/i.test(elements.at(-1) ?? '');
  if (ignoresCase) elements.pop();
  const direction = /^(asc|desc)$/i.exec(elements.at(-1) ?? '')?.[1]?.toLowerCase();
  if (direction !== undefined) elements.pop();
  return elements.map((property) => ({ property, isDescending: direction === 'desc', ignoresCase }));
}

/** Text, once or several times: how it is read. What is meant is described. */
const parameter = (meant: Readonly<Record<string, unknown>>) =>
  z
    .custom<string | string[]>((given) => [given].flat().every((one) => typeof one === 'string'))
    .optional()
    .meta(meant);
const number = { type: 'integer', format: 'int32', minimum: 0 };

/**
 * The `page`, `size` and `sort` of a query. What cannot be read falls back, as in Spring; a property that is not among
 * `allowed` is refused. Without a property to sort by, `fallback` is used.
 */
export const springPaging = <Property extends string>(
  allowed: readonly Property[],
  fallback: readonly SpringOrder<Property>[],
) =>
  z
    .object({
      page: parameter({ ...number, default: 0, description: 'From 0; what is no such number counts as 0' }),
      size: parameter({
        ...number,
        default: SIZE_DEFAULT,
        description: `At most ${SIZE_MAX}; what is no number above 0 counts as ${SIZE_DEFAULT}`,
      }),
      sort: parameter({
        type: 'array',
        items: { type: 'string' },
        description: `property,asc|desc, with several properties and several times: ${allowed.join(', ')}. Then ,ignorecase`,
      }),
    })
    .transform(({ page, size, sort }, context): SpringPageable<Property> => {
      const orders = [sort ?? []].flat().flatMap(ordersIn);
      const isAllowed = (order: RawOrder): order is SpringOrder<Property> =>
        allowed.some((property) => property === order.property);
      if (!orders.every(isAllowed)) {
        context.addIssue({ code: 'custom', path: ['sort'], message: `must be of ${allowed.join(', ')}` });
        return z.NEVER;
      }
      return {
        page: pageOf(first(page)),
        size: sizeOf(first(size)),
        sort: orders.length > 0 ? orders : fallback,
      };
    });

const sortShape = z
  .object({
    direction: z.enum(['ASC', 'DESC']),
    nullHandling: z.literal('NATIVE'),
    ascending: z.boolean(),
    property: z.string(),
    ignoreCase: z.boolean(),
  })
  .meta({ id: 'Sort' });

export const pageOfShape = <Item extends z.ZodType>(item: Item) =>
  z.object({
    totalPages: z.int(),
    totalElements: z.int(),
    size: z.int(),
    number: z.int(),
    numberOfElements: z.int(),
    first: z.boolean(),
    last: z.boolean(),
    empty: z.boolean(),
    content: z.array(item),
    sort: z.array(sortShape),
    pageable: z.object({
      offset: z.int(),
      sort: z.array(sortShape),
      pageNumber: z.int(),
      pageSize: z.int(),
      unpaged: z.literal(false),
      paged: z.literal(true),
    }),
  });

const toSort = ({ property, isDescending, ignoresCase }: SpringOrder<string>): z.input<typeof sortShape> => ({
  direction: isDescending ? 'DESC' : 'ASC',
  nullHandling: 'NATIVE',
  ascending: !isDescending,
  property,
  ignoreCase: ignoresCase,
});

/** A page of a list of `total` items, as Spring shows it; one past the end is empty and has the true totals. */
export function springPage<Item>(content: Item[], total: number, { page, size, sort }: SpringPageable<string>) {
  const totalPages = Math.ceil(total / size);
  return {
    totalPages,
    totalElements: total,
    size,
    number: page,
    numberOfElements: content.length,
    first: page === 0,
    last: page + 1 >= totalPages,
    empty: content.length === 0,
    content,
    sort: sort.map(toSort),
    pageable: {
      offset: page * size,
      sort: sort.map(toSort),
      pageNumber: page,
      pageSize: size,
      unpaged: false as const,
      paged: true as const,
    },
  };
}
