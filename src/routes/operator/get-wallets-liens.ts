import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { listWalletLiens } from '#modules/wallets';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { listOrFile } from './list-or-file.ts';
import { lienShape, toLien, walletParams } from './shapes/wallet.ts';

const list = listOrFile('liens', pagedBy('liens', numberKey), lienShape);

export function getWalletsLiens(app: ZodApp, { readLong }: { readLong: ReadLong }): void {
  app.get(
    '/wallets/:reference/liens',
    {
      schema: {
        operationId: 'listWalletLiens',
        summary: 'The liens of a wallet with their reasons, the lifted ones too, newest first',
        params: walletParams,
        querystring: list.query,
        response: { 200: list.response, ...failuresFor('WALLET_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { reference } = request.params;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => listWalletLiens(db, { reference, ...page })),
        toItem: toLien,
      });
    },
  );
}
