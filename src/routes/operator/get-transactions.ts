import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/long-reads.ts';
import { namers } from '#modules/ledger';
import { type FoundTransaction, findTransactions } from '#modules/payments';
import { momentIn } from '#wire/moment.ts';
import { amountInQuery, currencyCode } from '#wire/money.ts';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { optional, reference, text } from '#wire/text.ts';
import { toTransaction, transactionShape, transactionStatus, transactionType } from '#wire/transaction.ts';
import { listOrFile } from './list-or-file.ts';

const namer = z.enum(namers);

const found = transactionShape.extend({
  Namer: namer.meta({ description: 'Who gave the reference' }),
  PartnerID: z.uuid().optional().meta({ description: 'In whose books it is' }),
});

const list = listOrFile('transactions', pagedBy('transactions', numberKey), found);

const query = list.query
  .extend({
    reference: optional(reference).meta({
      description:
        'As whoever moved the money gave it: for partnerId or applicationId; without them an INBOUND, or a reference of ours (TRF-, SWT-)',
    }),
    partnerId: optional(z.uuid()),
    applicationId: optional(z.uuid()),
    namer: optional(namer).meta({ description: 'Who gave the reference' }),
    type: optional(transactionType),
    status: optional(transactionStatus),
    currency: optional(currencyCode),
    externalReference: optional(text(255)),
    amountFrom: optional(amountInQuery).meta({ description: 'The amount is this or more' }),
    amountTo: optional(amountInQuery).meta({ description: 'The amount is this or less' }),
    from: optional(momentIn).meta({ description: 'It was made then or later' }),
    to: optional(momentIn).meta({ description: 'It was made before' }),
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
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => findTransactions(db, { ...asked, ...page })),
        toItem,
      });
    },
  );
}

const toItem = (one: FoundTransaction): z.input<typeof found> => ({
  ...toTransaction(one),
  Namer: one.namer,
  PartnerID: one.partnerId,
});
