import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/long-reads.ts';
import { namers } from '#modules/ledger';
import { findTransactions } from '#modules/payments';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { optional, reference } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';

const pages = pagedBy('transactions', numberKey);

const namer = z.enum(namers);

const query = pages.query
  .extend({
    reference: reference.meta({ description: 'As whoever moved the money gave it' }),
    partnerId: optional(z.uuid()),
    applicationId: optional(z.uuid()),
    namer: optional(namer).meta({ description: 'Who gave the reference' }),
  })
  .refine(({ partnerId, applicationId }) => partnerId === undefined || applicationId === undefined, {
    path: ['applicationId'],
    error: 'must not stand beside partnerId',
  });

const found = transactionShape.extend({ Namer: namer.meta({ description: 'Who gave the reference' }) });

export function getTransactions(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/transactions',
    {
      schema: {
        operationId: 'findTransactions',
        summary:
          'What was moved, or declined, under a reference: for a partner, for an application, as INBOUND, or under one of ours (TRF-, SWT-)',
        querystring: query,
        response: { 200: listOf(found) },
      },
    },
    async (request) =>
      pages.page(
        await readLong(request.actor, async (db) => findTransactions(db, request.query)),
        request.query,
        (one) => ({
          ...toTransaction(one),
          Namer: one.namer,
        }),
      ),
  );
}
