import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { debitWallet } from '#modules/wallets';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { movementBody, walletParams } from './shapes.ts';

export function postWalletDebit(app: ZodApp, deps: DepsOf<typeof debitWallet>): void {
  app.post(
    '/wallet/:reference/debit',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: 'simulateWalletDebit',
        summary: 'Debit a wallet into the float',
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
            'WALLET_PND',
          ),
        },
      },
    },
    async (request) =>
      toTransaction(
        await debitWallet(deps, {
          ...request.body,
          partnerId: partnerOf(request).id,
          walletReference: request.params.reference,
        }),
      ),
  );
}
