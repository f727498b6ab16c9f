import { partnerOf } from '#http/auth/partner.ts';
import { failuresFor, partnerOnly } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { creditWithTestMoney } from '#modules/sandbox';
import { toTransaction, transactionShape } from '#wire/transaction.ts';
import { movementBody, walletParams } from './shapes.ts';

export function postWalletCredit(app: ZodApp, deps: DepsOf<typeof creditWithTestMoney>): void {
  app.post(
    '/wallet/:reference/credit',
    {
      schema: {
        tags: ['Sandbox', 'Extension'],
        operationId: 'simulateWalletCredit',
        summary: 'Credit a wallet with test money, which needs no float',
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
    async (request) =>
      toTransaction(
        await creditWithTestMoney(deps, {
          ...request.body,
          partnerId: partnerOf(request).id,
          walletReference: request.params.reference,
        }),
      ),
  );
}
