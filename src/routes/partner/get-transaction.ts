import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { findPayees } from '#modules/payouts';
import { getTransaction as findTransaction } from '#modules/wallets';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { transactionParams } from './shapes.ts';

export function getTransaction(
  app: ZodApp,
  { db, ...opening }: { db: Database } & Parameters<typeof findPayees>[1],
): void {
  app.get(
    '/transaction/:reference',
    {
      schema: {
        tags: ['Money', 'Extension'],
        operationId: 'getTransaction',
        summary: "A transaction of this partner by its own reference, or one of its wallets' by ours",
        security: partnerOnly,
        params: transactionParams,
        response: { 200: transactionShape, ...failuresFor('TRANSACTION_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const named = { partnerId: partnerOf(request).id, reference: request.params.reference };
      const transaction = await findTransaction(db, named);
      reply.header('cache-control', 'no-store');
      const payees = await findPayees(db, opening, [transaction]);
      return toTransaction(transaction, payees.get(transaction.id));
    },
  );
}
