import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { readTransaction } from '#modules/enquiries';
import { optional } from '#wire/text.ts';
import { transactionId } from './shapes/params.ts';
import { toTransactionInFull, transactionInFullShape, transactionParams } from './shapes/transaction.ts';

const query = z
  .object({
    partnerId: optional(z.uuid()).meta({ description: 'For whom the reference was given' }),
    applicationId: optional(z.uuid()).meta({ description: 'The same, of an application' }),
    id: optional(transactionId).meta({
      type: 'integer',
      minimum: 1,
      description: 'Where several transactions have this reference: which of them',
    }),
  })
  .refine(({ partnerId, applicationId }) => partnerId === undefined || applicationId === undefined, {
    path: ['applicationId'],
    error: 'must not stand beside partnerId',
  });

export function getTransactionsByReference(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof readTransaction>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/transactions/:reference',
    {
      schema: {
        operationId: 'getTransaction',
        summary: 'A transaction with its entries, what belongs to it, why it was declined, and who was told of it',
        params: transactionParams,
        querystring: query,
        response: { 200: transactionInFullShape, ...failuresFor('TRANSACTION_NOT_FOUND') },
      },
    },
    async ({ actor, params, query: asked }) => {
      const full = await readLong(actor, (db) => readTransaction({ ...deps, db }, { ...params, ...asked }));
      return toTransactionInFull(full);
    },
  );
}
