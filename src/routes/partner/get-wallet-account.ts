import { z } from 'zod';
import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { listAccounts } from '#modules/collections';
import { accountShape, toAccount } from '#wire/wallet.ts';
import { walletParams } from './shapes.ts';

export function getWalletAccount(app: ZodApp, deps: DepsOf<typeof listAccounts>): void {
  app.get(
    '/wallet/:reference/account',
    {
      schema: {
        tags: ['Wallets', 'Extension'],
        operationId: 'listAccounts',
        summary: 'The account numbers that providers have assigned to a wallet, the oldest first',
        security: partnerOnly,
        params: walletParams,
        response: {
          200: z.object({ items: z.array(accountShape), count: z.int() }),
          ...failuresFor('WALLET_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      const { reference: walletReference } = request.params;
      const items = await listAccounts(deps, { partnerId: partnerOf(request).id, walletReference });
      reply.header('cache-control', 'no-store');
      return { items: items.map(toAccount), count: items.length };
    },
  );
}
