import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listTerminals } from '#modules/terminals';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { terminalShape, toTerminal } from './shapes/terminal.ts';

const pages = pagedBy('terminals', numberKey);

export function getTerminals(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listTerminals>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/terminals',
    {
      schema: {
        operationId: 'listTerminals',
        summary: 'Terminals of all partners or one, newest first',
        querystring: pages.query.extend({ partnerId: optional(z.uuid()) }),
        response: { 200: listOf(terminalShape) },
      },
    },
    async ({ actor, query }) =>
      pages.page(await readLong(actor, async (db) => listTerminals({ ...deps, db }, query)), query, toTerminal),
  );
}
