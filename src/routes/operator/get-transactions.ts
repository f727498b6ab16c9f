import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findTransactions } from '#modules/payments';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { optional, reference, text } from '#wire/text.ts';
import { listOrFile } from './list-or-file.ts';
import { foundShape, toFoundTransaction, transactionFilter } from './shapes/transaction.ts';

const list = listOrFile('transactions', pagedBy('transactions', numberKey), foundShape);

const query = list.query
  .extend({
    reference: optional(reference).meta({
      description:
        'As whoever moved the money gave it, or one of ours (TRF-, INB-, SWT-); with partnerId or applicationId, for them',
    }),
    partnerId: optional(z.uuid()),
    applicationId: optional(z.uuid()),
    wallet: optional(text(100)).meta({
      description:
        'Reference of a wallet: what moved it; with status Failed what was declined that it was to pay or to be paid by, with Pending what waits',
    }),
    ...transactionFilter,
  })
  .refine(({ partnerId, applicationId }) => partnerId === undefined || applicationId === undefined, {
    path: ['applicationId'],
    error: 'must not stand beside partnerId',
  });

export function getTransactions(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/transactions',
    {
      schema: {
        operationId: 'findTransactions',
        summary: 'What was moved, or declined, newest first; or what has a reference',
        querystring: query,
        response: { 200: list.response, ...failuresFor() },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => findTransactions(db, { ...asked, ...page })),
        toItem: toFoundTransaction,
      });
    },
  );
}
