import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Listed, PageRequest } from '#lib/postgres/lists.ts';
import { listOf, nextLink, type pagedBy, toCsv } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';

/** Rows that are read at once: as many as a page may have. */
const PAGE_MAX = 100;
const PAGE_DEFAULT = 20;
/** Rows of a file. */
const ROWS_MAX = 10_000;

const format = optional(z.enum(['json', 'csv'])).meta({
  description: 'csv: a file with a row for each item, of 10000 at most. Where there are more, the header Link leads on',
});

const limit = optional(z.string().regex(/^\d+$/, 'must be a whole number of at least 0').transform(Number)).meta({
  type: 'integer',
  minimum: 0,
  description: 'Without it 20, and 100 at most; of a file 10000',
});

/** What a request for a list says of the part and the form it wants. */
interface Asked<Key> {
  format?: 'json' | 'csv' | undefined;
  limit?: number | undefined;
  offset: number;
  cursor?: Key | undefined;
}

/**
 * A list of money, which a page of is answered as JSON, and all of as a file (`format=csv`). A file is read page by page, so
 * that it blocks other requests no longer than a page does, and masked as pages are.
 *
 * @param name of the file
 */
export function listOrFile<Key, Item extends z.ZodObject>(
  name: string,
  pages: ReturnType<typeof pagedBy<Key>>,
  item: Item,
) {
  const query = pages.query.extend({ limit, format });

  /** @param read a page */
  async function answer<Row>(
    request: FastifyRequest,
    reply: FastifyReply,
    list: {
      asked: Asked<Key>;
      read: (page: PageRequest<Key>) => Promise<Listed<Row, Key>>;
      toItem: (row: Row) => z.input<Item>;
    },
  ) {
    const { asked, read, toItem } = list;
    if (asked.format !== 'csv') {
      const page = {
        offset: asked.offset,
        cursor: asked.cursor,
        limit: Math.min(asked.limit ?? PAGE_DEFAULT, PAGE_MAX),
      };
      return pages.page(await read(page), page, toItem);
    }
    const rows = await rowsOf(asked, read);
    const page = pages.page({ ...rows, count: 0, countIsExact: true }, { limit: ROWS_MAX, offset: 0 }, toItem);
    if (page.nextCursor !== undefined) {
      void reply.header('link', nextLink(request.url, page.nextCursor));
    }
    return asFile(reply, name, item, page);
  }
  return { query, response: withFile(listOf(item)), answer };
}

const itemsOf = <Item>({ items }: { items: readonly Item[] }): readonly Item[] => items;

/** Answers items as a file: they are masked before they are written. @param rowsIn where they stand in the answer */
export function asFile<Answer extends { items: readonly unknown[] }>(
  reply: FastifyReply,
  name: string,
  item: z.ZodObject,
  answer: Answer,
): Answer;
export function asFile<Answer>(
  reply: FastifyReply,
  name: string,
  item: z.ZodObject,
  answer: Answer,
  rowsIn: (answer: Answer) => readonly unknown[],
): Answer;
export function asFile<Answer>(
  reply: FastifyReply,
  name: string,
  item: z.ZodObject,
  answer: Answer,
  rowsIn: (answer: Answer) => readonly unknown[] = (all) => itemsOf(all as { items: readonly unknown[] }),
): Answer {
  void reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .serializer((all: Answer) => toCsv(item, rowsIn(all)));
  return answer;
}

/** The answer of a list that can be asked for as a file, for its `response` schema. */
export const withFile = <Shape extends z.ZodType>(shape: Shape) => ({
  description: 'A page, or a file',
  content: {
    'application/json': { schema: shape },
    'text/csv': {
      schema: z
        .string()
        .meta({ description: 'RFC 4180, with a byte order mark and a header line', example: 'Type,ID\r\n' }),
    },
  },
});

export const fileQuery = z.object({ format });

/** A file's rows: a bounded number of pages is read for them. */
async function rowsOf<Row, Key>(
  asked: Asked<Key>,
  read: (page: PageRequest<Key>) => Promise<Listed<Row, Key>>,
): Promise<{ items: Row[]; next: Key | undefined }> {
  const max = Math.min(asked.limit ?? ROWS_MAX, ROWS_MAX);
  const items: Row[] = [];
  let { offset, cursor } = asked;
  for (let pages = 0; pages < ROWS_MAX / PAGE_MAX && items.length < max; pages += 1) {
    const limitOfPage = Math.min(PAGE_MAX, max - items.length);
    const page = await read({ limit: limitOfPage, offset, cursor, isUncounted: true });
    items.push(...page.items);
    if (page.next === undefined) return { items, next: undefined };
    [offset, cursor] = [0, page.next];
  }
  return { items, next: cursor };
}
