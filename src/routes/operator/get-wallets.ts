import { z } from 'zod';
import { failuresFor } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { findWalletsForOperator } from '#modules/wallets';
import { listOf, pageOf, paging } from '#wire/paging.ts';
import { optional, text } from '#wire/text.ts';
import { listedWalletShape, toListedWallet } from './shapes/wallet.ts';

const query = paging.extend({
  nuban: optional(z.string().regex(/^\d{10}$/, 'must be 10 digits')),
  paytag: optional(text(40)),
  partnerId: optional(z.uuid()),
});

export function getWallets(app: ZodApp, deps: DepsOf<typeof findWalletsForOperator>): void {
  app.get(
    '/wallets',
    {
      schema: {
        summary: 'Find wallets by account number, PayTag or partner, newest first',
        querystring: query,
        response: { 200: listOf(listedWalletShape), ...failuresFor(400, 401) },
      },
    },
    async (request) => {
      return pageOf(await findWalletsForOperator(deps, request.query), request.query, toListedWallet);
    },
  );
}
