import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { findPayees } from '#modules/payouts';
import { findCustomerTransfer, getCustomerHistory } from '#modules/wallets';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { optional, reference } from '#wire/text.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';

const pages = pagedBy('transactions', numberKey);

const query = pages.query.extend({
  reference: optional(reference).meta({ description: 'Only the transfer that the customer gave this reference' }),
});

export function getTransaction(
  app: ZodApp,
  { db, ...opening }: { db: Database } & Parameters<typeof findPayees>[1],
): void {
  app.get(
    '/transaction',
    {
      schema: {
        tags: ['Customer wallet', 'Extension'],
        operationId: 'listCustomerTransactions',
        summary: "What moved the customer's wallet, newest first, with its balance before and after",
        security: partnerAndCustomer,
        querystring: query,
        response: { 200: listOf(transactionShape), ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const whose = { partnerId: partnerOf(request).id, customerId: request.customerId };
      const { reference: named, ...page } = request.query;
      const found =
        named === undefined
          ? await getCustomerHistory(db, opening.keyring, { ...whose, ...page })
          : await findCustomerTransfer(db, { ...whose, ...page, reference: named });
      reply.header('cache-control', 'no-store');
      const payees = await findPayees(db, opening, found.items);
      return pages.page(found, page, (one) => toTransaction(one, payees.get(one.id)));
    },
  );
}
