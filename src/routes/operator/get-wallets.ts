import { z } from 'zod';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import type { ReadLong } from '#lib/postgres/long-reads.ts';
import { findWalletsForOperator } from '#modules/wallets';
import { momentIn } from '#wire/moment.ts';
import { amountInQuery, currencyCode } from '#wire/money.ts';
import { numberKey, pagedBy } from '#wire/paging.ts';
import { optional, text } from '#wire/text.ts';
import { walletStatus } from '#wire/wallet.ts';
import { listOrFile } from './list-or-file.ts';
import { listedWalletShape, toListedWallet } from './shapes/wallet.ts';

const list = listOrFile('wallets', pagedBy('wallets', numberKey), listedWalletShape);

const query = list.query.extend({
  nuban: optional(z.string().regex(/^\d{10}$/, 'must be 10 digits')),
  paytag: optional(text(40)),
  partnerId: optional(z.uuid()),
  status: optional(walletStatus),
  currency: optional(currencyCode),
  amountFrom: optional(amountInQuery).meta({ description: 'totalAmount is this or more' }),
  amountTo: optional(amountInQuery).meta({ description: 'totalAmount is this or less' }),
  from: optional(momentIn).meta({ description: 'It was made then or later' }),
  to: optional(momentIn).meta({ description: 'It was made before' }),
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
        summary: 'Find wallets by account number, PayTag, partner, status, amount or time, newest first',
        querystring: query,
        response: { 200: list.response },
      },
    },
    async (request, reply) => {
      const { format: _format, ...asked } = request.query;
      return list.answer(request, reply, {
        asked: request.query,
        read: (page) => readLong(request.actor, (db) => findWalletsForOperator({ ...deps, db }, { ...asked, ...page })),
        toItem: toListedWallet,
      });
    },
  );
}
