import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/database.ts';
import { getCustomerHistory } from '#modules/wallets';
import { listOf, pageOf, paging } from '#wire/paging.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';

export function getTransaction(app: ZodApp, { db }: { db: Database }): void {
  app.get(
    '/transaction',
    {
      schema: {
        tags: ['Extension'],
        summary: "What moved the customer's wallet, newest first, with its balance before and after",
        security: partnerAndCustomer,
        querystring: paging,
        response: { 200: listOf(transactionShape), ...failuresFor(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { customerId, query } = request;
      const found = await getCustomerHistory(db, { partnerId: partnerOf(request).id, customerId, ...query });
      reply.header('cache-control', 'no-store');
      return pageOf(found, query, toTransaction);
    },
  );
}
