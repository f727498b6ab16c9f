import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { creditWallet } from '#modules/wallets';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { movementBody, walletParams } from './shapes.ts';

export function postWalletCredit(app: ZodApp, deps: DepsOf<typeof creditWallet>): void {
  app.post(
    '/wallet/:reference/credit',
    {
      schema: {
        tags: ['Money', 'Extension'],
        operationId: 'creditWallet',
        summary: 'Credit a wallet from the float',
        security: partnerOnly,
        params: walletParams,
        body: movementBody,
        response: {
          200: transactionShape,
          ...failuresFor(
            'WALLET_NOT_FOUND',
            'REFERENCE_REUSED',
            'BALANCE_EXCEEDED',
            'INSUFFICIENT_FUNDS',
            'WALLET_BLOCKED',
            'WALLET_PNC',
          ),
        },
      },
    },
    async (request) => {
      const partnerId = partnerOf(request).id;
      const walletReference = request.params.reference;
      return toTransaction(await creditWallet(deps, { ...request.body, partnerId, walletReference }));
    },
  );
}
