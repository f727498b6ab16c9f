import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listWalletHolds } from '#modules/wallets';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { listOrFile } from './list-or-file.ts';
import { holdShape, toHold, walletParams } from './shapes/wallet.ts';

const list = listOrFile('holds', pagedBy('holds', numberKey), holdShape);

export function getWalletsHolds(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/wallets/:reference/holds',
    {
      schema: {
        operationId: 'listWalletHolds',
        summary: 'What of a wallet’s money is set aside, and what for, newest first',
        params: walletParams,
        querystring: list.query,
        response: { 200: list.response, ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { reference } = request.params;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => listWalletHolds(db, { reference, ...page })),
        toItem: toHold,
      });
    },
  );
}
