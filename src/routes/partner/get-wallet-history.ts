import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { Database } from '#lib/postgres/executor.ts';
import { findPayees } from '#modules/payouts';
import { getWalletHistory as historyOfWallet } from '#modules/wallets';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { walletParams } from './shapes.ts';

const pages = pagedBy('history', numberKey);

export function getWalletHistory(
  app: ZodApp,
  { db, ...opening }: { db: Database } & Parameters<typeof findPayees>[1],
): void {
  app.get(
    '/wallet/:reference/history',
    {
      schema: {
        tags: ['Wallets', 'Extension'],
        operationId: 'listWalletTransactions',
        summary: 'What moved a wallet, newest first, with its balance before and after',
        security: partnerOnly,
        params: walletParams,
        querystring: pages.query,
        response: { 200: listOf(transactionShape), ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { reference } = request.params;
      const partnerId = partnerOf(request).id;
      const found = await historyOfWallet(db, opening.keyring, { partnerId, reference, ...request.query });
      reply.header('cache-control', 'no-store');
      const payees = await findPayees(db, opening, found.items);
      return pages.page(found, request.query, (one) => toTransaction(one, payees.get(one.id)));
    },
  );
}
