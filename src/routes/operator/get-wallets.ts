import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/long-reads.ts';
import { findWalletsForOperator } from '#modules/wallets';
import { listOf, numberKey, pagedBy } from '#wire/paging.ts';
import { optional, text } from '#wire/text.ts';
import { listedWalletShape, toListedWallet } from './shapes/wallet.ts';

const pages = pagedBy('wallets', numberKey);

const query = pages.query.extend({
  nuban: optional(z.string().regex(/^\d{10}$/, 'must be 10 digits')),
  paytag: optional(text(40)),
  partnerId: optional(z.uuid()),
});

export function getWallets(
  app: ZodApp,
  { readLong, ...deps }: Omit<DepsOf<typeof findWalletsForOperator>, 'db'> & { readLong: ReadLong },
): void {
  app.get(
    '/wallets',
    {
      schema: {
        operationId: 'listWallets',
        summary: 'Find wallets by account number, PayTag or partner, newest first',
        querystring: query,
        response: { 200: listOf(listedWalletShape) },
      },
    },
    async (request) => {
      const found = await readLong(request.actor, async (db) => findWalletsForOperator({ ...deps, db }, request.query));
      return pages.page(found, request.query, toListedWallet);
    },
  );
}
