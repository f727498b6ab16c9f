import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findWalletHistory } from '#modules/payments';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { listOrFile } from './list-or-file.ts';
import { foundShape, toFoundTransaction, transactionFilter } from './shapes/transaction.ts';
import { walletParams } from './shapes/wallet.ts';

const list = listOrFile('history', pagedBy('movements', numberKey), foundShape);

export function getWalletsHistory(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/wallets/:reference/history',
    {
      schema: {
        operationId: 'listWalletHistory',
        summary: 'What moved a wallet, newest first, with its balance before and after',
        params: walletParams,
        querystring: list.query.extend(transactionFilter),
        response: { 200: list.response, ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      const { reference: wallet } = request.params;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => findWalletHistory(db, { ...asked, ...page, wallet })),
        toItem: toFoundTransaction,
      });
    },
  );
}
