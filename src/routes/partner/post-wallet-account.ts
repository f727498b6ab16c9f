import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { assignAccount } from '#modules/collections';
import { accountShape, toAccount } from '#wire/wallet.ts';
import { walletParams } from './shapes.ts';

export function postWalletAccount(app: ZodApp, deps: DepsOf<typeof assignAccount>): void {
  app.post(
    '/wallet/:reference/account',
    {
      schema: {
        tags: ['Wallets', 'Extension'],
        operationId: 'assignAccount',
        summary: 'Assign a bank account number to a wallet; a repeated call returns the same one',
        security: partnerOnly,
        params: walletParams,
        response: {
          200: accountShape,
          ...failuresFor(
            'WALLET_NOT_FOUND',
            'CURRENCY_MISMATCH',
            'PROVIDER_NOT_CONFIGURED',
            'INBOUND_PROVIDER_UNAVAILABLE',
            'BUSY',
          ),
        },
      },
    },
    async (request, reply) => {
      const { reference: walletReference } = request.params;
      reply.header('cache-control', 'no-store');
      return toAccount(await assignAccount(deps, { partnerId: partnerOf(request).id, walletReference }));
    },
  );
}
