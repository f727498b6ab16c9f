import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listItems } from '#modules/reconciliation';
import { pagedBy, uuidKey } from '#wire/paging.ts';
import { optional } from '#wire/text.ts';
import { listOrFile } from './list-or-file.ts';
import { dayIn, itemShape, itemStatus, rail, toItem } from './shapes/reconciliation.ts';

const list = listOrFile('reconciliation', pagedBy('reconciliation-items', uuidKey), itemShape);

const query = list.query.extend({
  rail: optional(rail),
  status: optional(itemStatus),
  importId: optional(z.uuid()),
  from: optional(dayIn).meta({ description: 'Of this day or later: the bank’s, or of a posting alone ours' }),
  to: optional(dayIn).meta({ description: 'Of this day or earlier' }),
});

export function getReconciliationItems(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof listItems>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/reconciliation/items',
    {
      schema: {
        operationId: 'listReconciliationItems',
        summary: 'Lines of banks and postings of ours, and whether each has the other, newest first',
        querystring: query,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, async (db) => listItems({ ...deps, db }, { ...asked, ...page })),
        toItem,
      });
    },
  );
}
